/** Tests the examples in real pages, with the real wallet and the published package. */
import { expect, test } from 'vitest';
import { registerPerson } from '../../tooling/drive/person.ts';
import { freePort } from '../../tooling/free-port.ts';
import { approve, swipe } from '../../tooling/drive/wallet.ts';
import { useExamples, scene, serve, open, inState, text } from './examples-stage.ts';

useExamples();

/** Creates an application through its owner's wallet, with a webhook URL on this machine. */
async function makeApplication(
  webhookUrl: string,
): Promise<Record<'CLIENT_IDENTIFIER' | 'CLIENT_SECRET' | 'WEBHOOK_SECRET', string>> {
  const { accessToken } = await registerPerson(scene.service.url, 'dunes', 'Dunes');
  const made = await fetch(`${scene.service.url}/api/v2/me/applications`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Dunes', url: 'https://dunes.example', webhookUrl }),
  });
  const { application } = (await made.json()) as {
    application: Record<'clientIdentifier' | 'clientSecret' | 'webhookSecret', string>;
  };
  return {
    CLIENT_IDENTIFIER: application.clientIdentifier,
    CLIENT_SECRET: application.clientSecret,
    WEBHOOK_SECRET: application.webhookSecret,
  };
}

test('the example shop delivers after a swipe, based on the service’s and the transaction’s data', async () => {
  const port = await freePort();
  const url = await serve('shop', await makeApplication(`http://127.0.0.1:${port}/webhooks`), port);
  const page = await open(url);
  const host = await inState(page, '.service-button', 'ready');
  const order = await host.evaluate((element) => element.dataset.buttonId ?? '');
  const print = () => fetch(`${url}orders/${order}/print.svg`).then(({ status }) => status);
  expect(await print()).toBe(402);
  const deliver = (id: string) =>
    page.evaluate(
      (given) =>
        (window as unknown as { deliver(payment: object): Promise<void> })
          .deliver({ id: given })
          .then(() => document.querySelector('#order')?.textContent),
      id,
    );
  expect(await deliver('00000000-0000-4000-8000-000000000000')).toContain('knows no such payment');
  await swipe(page, host);
  await approve(scene.wallet);
  await inState(page, '.service-button', 'done');
  await text(page, '#order', 'dunes-at-six.svg');
  expect(await print()).toBe(200);

  // A second visitor closes the page before it can report the payment, so only the webhook reports it.
  const second = await open(url);
  const button = await inState(second, '.service-button', 'ready');
  const theirs = await button.evaluate((element) => element.dataset.buttonId ?? '');
  await second.evaluate(() => Object.assign(window, { deliver() {} }));
  await swipe(second, button);
  await approve(scene.wallet);
  await inState(second, '.service-button', 'done');
  await expect.poll(() => fetch(`${url}orders/${theirs}/print.svg`).then(({ status }) => status)).toBe(200);
});
