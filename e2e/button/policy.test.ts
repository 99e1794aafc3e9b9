/** Tests the button on pages with a strict Content-Security-Policy, pinned scripts or Trusted Types. */
import { expect, test } from 'vitest';
import { buttonIn, swipe } from '../../tooling/drive/wallet.ts';
import { usePolicies, hash, service, page, visit, broken } from './policy-stage.ts';

usePolicies();

const speaksGerman = () =>
  page.waitForFunction(() =>
    document
      .querySelector('.service-button')!
      .shadowRoot!.querySelector('[role=slider]')!
      .getAttribute('aria-label')!
      .includes('zahlen'),
  );
/** True if the button's style sheet is applied. */
const isStyled = () =>
  page.$eval(
    '.service-button',
    (host) =>
      host.getBoundingClientRect().height === 48 &&
      getComputedStyle(host.shadowRoot!.querySelector('.track')!).cursor === 'grab',
  );

test('a policy that allows only the script’s nonce permits styles, the page’s language and payments', async () => {
  await visit(
    `default-src 'none'; script-src 'nonce-page'`,
    `<script nonce="page" src="${service.url}/button.js"></script>`,
  );
  const host = await buttonIn(page, 'ready');
  await speaksGerman();
  expect(await isStyled()).toBe(true);
  await swipe(page, host);
  await buttonIn(page, 'done');
  expect(await broken()).toEqual([]);
});

test('a page that requires Trusted Types reports no violation', async () => {
  await visit(
    `script-src 'nonce-page'; require-trusted-types-for 'script'`,
    `<script nonce="page" src="${service.url}/button.js"></script>`,
  );
  await buttonIn(page, 'ready');
  await speaksGerman();
  expect(await broken()).toEqual([]);
});

test('a policy with the hashes of the script and one part permits both', async () => {
  const { path, integrity, parts } = (await (await fetch(`${service.url}/button.json`)).json()) as {
    path: string;
    integrity: string;
    parts: Record<string, { path: string; integrity: string }>;
  };
  expect(integrity).toBe(hash('button.js'));
  const pinned = (file: { path: string; integrity: string }) =>
    `<script src="${service.url}${file.path}" integrity="${file.integrity}" crossorigin="anonymous"></script>`;
  const german = parts.de!;
  await visit(
    `default-src 'none'; script-src 'nonce-page' '${integrity}' '${german.integrity}'`,
    pinned({ path, integrity }) + pinned(german),
  );
  await buttonIn(page, 'ready');
  await speaksGerman();
  expect(await isStyled()).toBe(true);
  expect(await broken()).toEqual([]);
});
