import { describe, expect, test } from 'vitest';
import { approve, buttonIn, swipe } from '../../tooling/drive/wallet.ts';
import {
  useShopPages,
  PAYS,
  leaveAndReturn,
  page,
  pay,
  payments,
  scene,
  serve,
  states,
  visit,
  visitWithTurbo,
} from './pages-stage.ts';

useShopPages();

type Libraries = Window & {
  Turbo: { visit(url: string, options: object): void };
  htmx: { trigger(element: string, event: string): void };
  Alpine: { morph(from: Element, to: string): void };
  writes: number;
};

/** Starts counting changes to `data-state`. Unless a morph removes the attribute, the test proves nothing. */
const countWrites = () =>
  page.evaluate(() => {
    const all = window as unknown as Libraries;
    all.writes = 0;
    new MutationObserver((records) => (all.writes += records.length)).observe(document, {
      subtree: true,
      attributeFilter: ['data-state'],
    });
  });

const TWO = `<main><div id="one" class="service-button" ${PAYS} data-button-id="1"></div>
  <div id="two" class="service-button" ${PAYS} data-button-id="2"></div></main>`;
const button = () => `<script src="${scene.publicUrl}/button.js" async></script>`;

describe('a morph by', () => {
  const libraries = {
    Turbo: {
      async show() {
        serve('/turbo.js', '@hotwired/turbo/dist/turbo.es2017-umd.js');
        const before = `<meta name="turbo-refresh-method" content="morph"><script src="/turbo.js"></script>${button()}`;
        await visit(TWO, { before, script: '', path: '/turbo-morph' });
      },
      morph: () =>
        page.evaluate(() => (window as unknown as Libraries).Turbo.visit(location.href, { action: 'replace' })),
    },
    'htmx with idiomorph': {
      async show() {
        serve('/htmx.js', 'htmx.org/dist/htmx.js');
        serve('/idiomorph.js', 'idiomorph/dist/idiomorph-ext.js');
        const before = `<script src="/htmx.js"></script><script src="/idiomorph.js"></script>${button()}`;
        const attributes =
          'hx-get="/htmx" hx-select="main" hx-swap="morph:outerHTML" hx-ext="morph" hx-trigger="again"';
        await visit(TWO.replace('<main', `<main ${attributes}`), { before, script: '', path: '/htmx' });
      },
      morph: () => page.evaluate(() => (window as unknown as Libraries).htmx.trigger('main', 'again')),
    },
    'Alpine, as Livewire does it,': {
      async show() {
        serve('/morph.js', '@alpinejs/morph/dist/cdn.js');
        serve('/alpine.js', 'alpinejs/dist/cdn.js');
        const before = `<script defer src="/morph.js"></script><script defer src="/alpine.js"></script>${button()}`;
        await visit(TWO, { before, script: '', path: '/alpine' });
      },
      morph: () =>
        page.evaluate(
          (html) => (window as unknown as Libraries).Alpine.morph(document.querySelector('main')!, html),
          TWO,
        ),
    },
  };
  test.each(Object.entries(libraries))('%s preserves the states of a paid and a pending button', async (_, library) => {
    await library.show();
    await pay();
    await buttonIn(page, 'ready', 1);
    await countWrites();
    await library.morph();
    await page.waitForFunction(() => (window as unknown as Libraries).writes > 0);
    await buttonIn(page, 'done', 0);
    await buttonIn(page, 'ready', 1);
    await pay(1);
    expect(await states()).toEqual(['done', 'done']);
    expect(await payments()).toHaveLength(2);
  });
});

test('a payment that awaits approval continues in the button’s copy after a snapshot is restored', async () => {
  await visitWithTurbo();
  await swipe(page, await buttonIn(page, 'ready'));
  await scene.wallet.approval();
  await page.bringToFront();
  await leaveAndReturn();
  await buttonIn(page, 'working');
  await approve(scene.wallet);
  await buttonIn(page, 'done');
  expect(await payments()).toHaveLength(1);
});

test('a paid button restored from htmx’s history is still paid', async () => {
  serve('/htmx.js', 'htmx.org/dist/htmx.js');
  const before = `<script src="/htmx.js"></script>${button()}`;
  await visit('<p>Go back.</p>', { before, script: '', path: '/htmx-next' });
  await page.close();
  await visit(`<div class="service-button" ${PAYS}></div><a href="/htmx-next" hx-boost="true">Next page</a>`, {
    before,
    script: '',
    path: '/htmx-history',
  });
  await pay();
  await leaveAndReturn();
  await buttonIn(page, 'done');
  expect(await payments()).toHaveLength(1);
});

test('a paid button replaced by its copy in a view transition is still paid', async () => {
  await visit(TWO);
  await pay();
  await page.evaluate(async () => {
    const main = document.querySelector('main')!;
    await document.startViewTransition(() => main.replaceWith(main.cloneNode(true))).finished;
  });
  await buttonIn(page, 'done', 0);
  await buttonIn(page, 'ready', 1);
  expect(await payments()).toHaveLength(1);
});
