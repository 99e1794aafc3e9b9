/** The demo shop: three things to pay for, and a place where the receipt appears. */
import type { Network } from '../../protocol/address.ts';
import { html, type Html } from '../page/html.ts';
import type { Page } from '../page/layout.ts';

interface Item {
  id: string;
  name: string;
  text: string;
  amount: string;
  type: 'buy' | 'tip';
  label: string;
  picture: Html;
}

const picture = (shapes: Html) =>
  html`<svg class="item-picture" viewBox="0 0 64 64" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${shapes}</svg>`;

const ITEMS: readonly Item[] = [
  {
    id: 'article',
    name: 'One good article',
    amount: '0.10',
    type: 'buy',
    label: 'Read it',
    text: 'Four minutes on why small payments used to be hard. No subscription.',
    picture: picture(html`<path d="M16 8h24l8 8v40H16z"/><path d="M40 8v8h8"/><path d="M23 27h18M23 35h18M23 43h11"/>`),
  },
  {
    id: 'coffee',
    name: 'A coffee for the author',
    amount: '1.00',
    type: 'tip',
    label: 'Leave a tip',
    text: 'Enjoyed it? This goes straight to the author.',
    picture: picture(
      html`<path d="M14 26h30v14a12 12 0 0 1-12 12h-6a12 12 0 0 1-12-12z"/><path d="M44 29h4a6 6 0 0 1 0 12h-4"/><path d="M23 12c-2 3 2 5 0 8M31 12c-2 3 2 5 0 8"/>`,
    ),
  },
  {
    id: 'print',
    name: 'A print for your wall',
    amount: '2.50',
    type: 'buy',
    label: 'Buy the print',
    text: 'Dunes at six in the morning, as a file that prints well up to 50 cm.',
    picture: picture(
      html`<rect x="10" y="12" width="44" height="40" rx="3"/><circle cx="42" cy="23" r="4"/><path d="M10 44c8-12 14-12 20-4s12 4 24-6"/>`,
    ),
  },
];

function button(item: Item, address: string | null): Html {
  // Where there is nobody to be paid, the buttons are dummies, which contact nothing and always succeed.
  const payment =
    address === null
      ? html`data-dev-mode="true"`
      : html`data-to="${address}" data-amount="${item.amount}" data-currency="USD" data-on-payment="onShopPayment" data-on-error="onShopError"`;
  return html`<div class="service-button" id="button-${item.id}" data-label="${item.label}" data-type="${item.type}" data-button-id="shop-${item.id}" ${payment}></div>`;
}

/**
 * GET /shop
 * @param address where the shop is paid; null draws dummies
 */
export function shopPage(address: string | null, network: Network): Page {
  return {
    title: 'Demo shop',
    description: 'Three small things to pay for with a swipe.',
    scripts: ['/assets/shop.js', '/button.js'],
    main: html`
<div class="stack stack-tight">
<h1 class="title">The corner shop</h1>
<p class="lead">Three small things, each paid with one swipe.${network === 'devnet' && ' The coins are play money; everything else is real.'}</p>
</div>
${address === null && html`<p class="banner banner-info">This shop has no address to pay to, so its buttons are only for trying out.</p>`}
<noscript><p class="banner banner-warning">The buttons require JavaScript.</p></noscript>
<ul class="shop">
${ITEMS.map(
  (item) => html`<li class="card item">
${item.picture}
<div class="stack stack-tight">
<div class="row"><h2 class="subheading">${item.name}</h2><span class="amount">$${item.amount}</span></div>
<p class="muted">${item.text}</p>
</div>
${button(item, address)}
</li>
`,
)}</ul>
<section id="receipt" class="card stack" aria-live="polite" aria-label="Receipt" hidden></section>`,
  };
}
