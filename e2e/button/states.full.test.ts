import { beforeEach, describe, expect, test } from 'vitest';
import { LANGUAGE_CODES } from '../../protocol/languages.ts';
import { axe } from '../drive/axe.ts';
import { ADDRESS } from '../drive/scene.ts';
import { buttonIn, swipe } from '../../tooling/drive/wallet.ts';
import {
  useStates,
  PAYS,
  STATES,
  type State,
  site,
  page,
  visit,
  keyboard,
  inButton,
  showState,
} from './states-stage.ts';

useStates();

describe.each(['light', 'dark'] as const)('Axe finds no violations in %s mode', (scheme) => {
  beforeEach(() => page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]));

  test.each(Object.keys(STATES) as State[])('when %s', async (state) => {
    await showState(state);
    expect(await axe(page, '.service-button')).toEqual([]);
  });

  test('while the button searches for a wallet', async () => {
    site.page(
      '/',
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title><script>const later = setTimeout; setTimeout = (run, time) => (time === 600 ? 0 : later(run, time));</script><script src="/button.js"></script></head><body><div class="service-button" ${PAYS}></div></body></html>`,
    );
    await page.goto(`${site.origin}/`);
    await buttonIn(page, 'loading');
    expect(await axe(page, '.service-button')).toEqual([]);
  });

  test('in the form of an editable button and in the panel for paying by phone', async () => {
    await visit('<div class="service-button" data-editable="true"></div>');
    await buttonIn(page, 'ready');
    expect(await axe(page, '.service-button')).toEqual([]);
    await showState('no-wallet');
    await (await page.$('.service-button >>> .phone'))!.click();
    await page.waitForFunction(() =>
      document.querySelector('.service-button')!.shadowRoot!.querySelector('dialog svg'),
    );
    expect(await axe(page, '.service-button')).toEqual([]);
  });
});

test('a button has the same size in every state', async () => {
  const sizes = new Set<string>();
  const measure = async () =>
    sizes.add(
      await page.$eval(
        '.service-button',
        (host) => `${host.getBoundingClientRect().width} x ${host.getBoundingClientRect().height}`,
      ),
    );
  for (const state of Object.keys(STATES) as State[]) {
    await showState(state);
    await measure();
  }
  expect([...sizes]).toEqual(['300 x 48']);
});

describe('screen readers announce', () => {
  test('an error and the next step', async () => {
    await showState('error');
    expect(await inButton((root) => root.querySelector('[aria-live]')!.textContent)).toBe(
      'You refused the payment. No money has moved. Not paid. Swipe to try again',
    );
  });

  test('a link to the wallet, and that it opens in a new tab, if no wallet is installed', async () => {
    await showState('no-wallet');
    const link = await inButton((root) => {
      const { href, target } = root.querySelector('a')!;
      return { name: root.querySelector('a')!.getAttribute('aria-label'), href, target };
    });
    expect(link).toEqual({
      name: 'Get the wallet (opens in a new tab). Swipe to pay $0.10: Read on',
      href: `${site.origin}/wallet`,
      target: '_blank',
    });
  });
});

test.each(['en', 'de', 'es', 'fr', 'pt', 'ja'])(
  'the warning against paying twice fits the default width: %s',
  async (language) => {
    await visit(`<div class="service-button" ${PAYS} data-button-id="pending"></div>`, { html: `lang="${language}"` });
    await buttonIn(page, 'ready');
    await keyboard('Tab', 'End');
    await buttonIn(page, 'error');
    const [wanted, there] = await inButton(({ host }) => {
      const { scrollHeight, clientHeight } = host.shadowRoot!.querySelector('[part~=label]')!;
      return [scrollHeight, clientHeight];
    });
    expect(wanted).toBeLessThanOrEqual(there! + 1);
  },
);

test('nothing is animated if the user prefers reduced motion', async () => {
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  for (const state of ['working', 'done', 'error'] as const) {
    await showState(state);
    expect(await inButton((root) => root.getAnimations().length)).toBe(0);
  }
});

test('the parts keep visible borders in forced colors', async () => {
  const session = await page.createCDPSession();
  await session.send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value: 'active' }] });
  await showState('ready');
  const edges = await inButton((root) => [
    getComputedStyle(root.querySelector('[part=button]')!).outlineStyle,
    getComputedStyle(root.querySelector('[part=thumb]')!).borderTopStyle,
  ]);
  expect(edges).toEqual(['solid', 'solid']);
});

describe('the page’s language', () => {
  test('is loaded when needed, and changes with the page’s lang attribute', async () => {
    site.asked.length = 0;
    await visit(`<div class="service-button" data-to="${ADDRESS}" data-amount="1234.5" data-currency="EUR"></div>`, {
      html: 'lang="de-AT"',
    });
    await buttonIn(page, 'ready');
    await page.waitForFunction(() =>
      document
        .querySelector('.service-button')!
        .shadowRoot!.querySelector('[role=slider]')!
        .getAttribute('aria-label')
        ?.includes('zahlen'),
    );
    expect(await inButton((root) => root.querySelector('[part=amount]')!.textContent)).toBe('€\u00a01.234,50');
    expect(site.asked.filter((path) => path.startsWith('/button')).toSorted()).toEqual([
      '/button.de.js',
      '/button.help.js',
      '/button.js',
    ]);
    await page.evaluate(() => {
      document.documentElement.lang = 'fr';
    });
    await page.waitForFunction(
      () =>
        document.querySelector('.service-button')!.shadowRoot!.querySelector('[part=amount]')!.textContent ===
        '1\u202f234,50\u00a0€',
    );
  });

  test('may differ in a part of the page', async () => {
    await visit(
      `<div class="service-button" ${PAYS}></div><section lang="ja"><div class="service-button" ${PAYS}></div></section>`,
    );
    await buttonIn(page, 'ready', 1);
    await page.waitForFunction(() =>
      /[\u3040-\u30ff]/.test(
        document
          .querySelectorAll('.service-button')[1]!
          .shadowRoot!.querySelector('[role=slider]')!
          .getAttribute('aria-label') ?? '',
      ),
    );
    expect(await inButton((root) => root.querySelector('[role=slider]')!.getAttribute('aria-label'))).toBe(
      'Swipe to pay $0.10: Read on',
    );
  });

  test.each(LANGUAGE_CODES.filter((code) => code !== 'en'))('%s is available', async (language) => {
    await visit(`<div class="service-button" ${PAYS}></div>`, { html: `lang="${language}"` });
    await buttonIn(page, 'ready');
    await page.waitForFunction(
      () =>
        !document
          .querySelector('.service-button')!
          .shadowRoot!.querySelector('[role=slider]')!
          .getAttribute('aria-label')!
          .startsWith('Swipe'),
    );
  });
});

test('the panel for paying by phone shows the amount to enter if there is no exchange rate', async () => {
  await visit(`<div class="service-button" ${PAYS}></div>`, { walletless: true });
  await buttonIn(page, 'no-wallet');
  await (await page.$('.service-button >>> .phone'))!.click();
  await page.waitForFunction(() => document.querySelector('.service-button')!.shadowRoot!.querySelector('dialog svg'));
  expect(await inButton((root) => root.querySelector('dialog a')!.getAttribute('href'))).toBe(
    `bitcoin:${ADDRESS}?sv&label=Read%20on`,
  );
  expect(await inButton((root) => root.querySelector('dialog')!.textContent)).toContain('Enter $0.10 yourself');
});

test.each([
  ['a real address by a real rate', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'mainnet', '&amount=0.002'],
  ['a real address never by a test network’s rate', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'devnet', ''],
  ['a test address by a test network’s rate', ADDRESS, 'devnet', '&amount=0.002'],
  ['a test address never by a real rate', ADDRESS, 'mainnet', ''],
])('the code for paying by phone gives the price of %s', async (_, address, network, amount) => {
  site.page('/api/v2/rates', JSON.stringify({ rates: { USD: '50' } }));
  site.page('/api/v2/network', JSON.stringify({ network }));
  await visit(`<div class="service-button" data-to="${address}" data-amount="0.10"></div>`, { walletless: true });
  await buttonIn(page, 'no-wallet');
  await (await page.$('.service-button >>> .phone'))!.click();
  await page.waitForFunction(() => document.querySelector('.service-button')!.shadowRoot!.querySelector('dialog svg'));
  expect(await inButton((root) => root.querySelector('dialog a')!.getAttribute('href'))).toBe(
    `bitcoin:${address}?sv${amount}`,
  );
});

test('pages style buttons by custom properties, classes and parts', async () => {
  await visit(`<style>.mine { --sb-accent: rgb(200, 0, 0); --sb-width: 240px; --sb-radius: 4px; } .mine::part(label) { font-style: italic; }</style>
    <div class="service-button mine" ${PAYS}></div><div class="service-button compact" ${PAYS}></div><main style="width: 640px"><div class="service-button full" ${PAYS}></div></main>`);
  await buttonIn(page, 'ready', 2);
  const sizes = await page.$$eval('.service-button', (hosts) =>
    hosts.map((host) => [host.getBoundingClientRect().width, host.getBoundingClientRect().height]),
  );
  expect(sizes).toEqual([
    [240, 48],
    [300, 36],
    [640, 48],
  ]);
  await inButton((root) => root.getAnimations().forEach((animation) => animation.finish()));
  expect(
    await inButton((root) => [
      getComputedStyle(root.querySelector('[part=fill]')!).backgroundColor,
      getComputedStyle(root.querySelector('[part=label]')!).fontStyle,
    ]),
  ).toEqual(['rgb(200, 0, 0)', 'italic']);
});

describe('swiping', () => {
  test('goes from right to left on pages with that direction', async () => {
    await visit(`<div class="service-button" ${PAYS}></div>`, { html: 'lang="en" dir="rtl"' });
    const host = await buttonIn(page, 'ready');
    await swipe(page, host);
    await buttonIn(page, 'ready');
    const { x, y, width } = (await host.boundingBox())!;
    await page.mouse.move(x + width - 24, y + 24);
    await page.mouse.down();
    await page.mouse.move(x + 4, y + 24, { steps: 8 });
    await page.mouse.up();
    await buttonIn(page, 'done');
  });

  test('a short drag pays nothing, and a tap only leads to the second step', async () => {
    await visit(`<div class="service-button" ${PAYS}></div>`);
    const { x, y, width } = (await (await buttonIn(page, 'ready')).boundingBox())!;
    await page.mouse.move(x + 24, y + 24);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.7, y + 24, { steps: 4 });
    await page.mouse.up();
    await buttonIn(page, 'ready');
    expect(await inButton((root) => root.querySelector('[role=slider]')!.getAttribute('aria-valuenow'))).toBe('0');
    await page.touchscreen.tap(x + width / 2, y + 24);
    await page.waitForSelector('.service-button >>> [part=pay]');
    await buttonIn(page, 'ready');
  });

  test('[R-26] a disabled button can’t be swiped by pointer or keyboard', async () => {
    await visit(`<div class="service-button" ${PAYS} data-disabled="true"></div>`);
    const host = await buttonIn(page, 'disabled');
    await swipe(page, host);
    await keyboard('Tab', 'End', 'Enter');
    await buttonIn(page, 'disabled');
  });
});
