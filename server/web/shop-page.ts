/** The demo shop: three products, and a container for the receipt. */
import type { Network } from '../../protocol/bitcoin/address.ts';
import { html, type Html } from '../page/html.ts';
import type { LanguageCode } from '../../protocol/languages.ts';
import type { TranslatedPage } from '../page/layout.ts';
import type { SiteTexts } from '../page/texts.ts';

type Texts = SiteTexts['shop'];

interface Item {
  id: keyof Texts['items'];
  amount: Intl.StringNumericLiteral;
  type: 'buy' | 'tip';
  picture: Html;
}

const picture = (shapes: Html) =>
  html`<svg class="item-picture" viewBox="0 0 64 64" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${shapes}</svg>`;

const ITEMS: readonly Item[] = [
  {
    id: 'article',
    amount: '0.10',
    type: 'buy',
    picture: picture(html`<path d="M16 8h24l8 8v40H16z"/><path d="M40 8v8h8"/><path d="M23 27h18M23 35h18M23 43h11"/>`),
  },
  {
    id: 'coffee',
    amount: '1.00',
    type: 'tip',
    picture: picture(
      html`<path d="M14 26h30v14a12 12 0 0 1-12 12h-6a12 12 0 0 1-12-12z"/><path d="M44 29h4a6 6 0 0 1 0 12h-4"/><path d="M23 12c-2 3 2 5 0 8M31 12c-2 3 2 5 0 8"/>`,
    ),
  },
  {
    id: 'print',
    amount: '2.50',
    type: 'buy',
    picture: picture(
      html`<rect x="10" y="12" width="44" height="40" rx="3"/><circle cx="42" cy="23" r="4"/><path d="M10 44c8-12 14-12 20-4s12 4 24-6"/>`,
    ),
  },
];

/** Formats a price as the button does: with Latin digits even in Arabic, and isolated from the text direction. */
function price(amount: Item['amount'], language: LanguageCode): Html {
  const locale = language === 'ar' ? 'ar-u-nu-latn' : language;
  const text = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }).format(amount);
  return html`<bdi class="amount">${text}</bdi>`;
}

function button(item: Item, t: Texts, address: string | null): Html {
  // Without an address, the buttons are demos that make no requests and always succeed.
  const payment =
    address === null
      ? html`data-dev-mode="true"`
      : html`data-to="${address}" data-amount="${item.amount}" data-currency="USD" data-on-payment="onShopPayment" data-on-error="onShopError"`;
  return html`<div class="service-button" id="button-${item.id}" data-label="${t.items[item.id].label}" data-type="${item.type}" data-button-id="shop-${item.id}" ${payment}></div>`;
}

/** Renders GET /shop. @param address the address that receives the payments; null for demo buttons */
export function shopPage(address: string | null, network: Network): TranslatedPage {
  return ({ shop: t }, language) => ({
    title: t.title,
    description: t.description,
    styles: ['/assets/shop.css'],
    scripts: ['/assets/shop.js', '/button.js'],
    main: html`
<div class="stack stack-tight">
<h1 class="title">${t.heading}</h1>
<p class="lead">${t.lead}${network === 'devnet' && ` ${t.playMoney}`}</p>
</div>
${address === null && html`<p class="banner banner-info">${t.noAddress}</p>`}
<noscript><p class="banner banner-warning">${t.noScript}</p></noscript>
<ul class="shop">
${ITEMS.map(
  (item) => html`<li class="card item">
${item.picture}
<div class="stack stack-tight">
<div class="row"><h2 class="subheading">${t.items[item.id].name}</h2>${price(item.amount, language)}</div>
<p class="muted">${t.items[item.id].text}</p>
</div>
${button(item, t, address)}
</li>
`,
)}</ul>
<section id="receipt" class="card stack" aria-live="polite" aria-label="${t.receipt}" data-texts="${JSON.stringify(t.script)}" hidden></section>`,
  });
}
