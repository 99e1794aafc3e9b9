/** The first page: what this is, and the two ways on. */
import { PRODUCT_NAME } from '../../protocol/product.ts';
import { html } from '../page/html.ts';
import type { Page } from '../page/layout.ts';
import { walletLink, walletSection, type WalletOffer } from './wallet-section.ts';

const example = (baseUrl: string) => `<script src="${baseUrl}/button.js" defer></script>

<div class="service-button"
  data-to="your address"
  data-amount="0.10"
  data-currency="USD"
  data-label="Read this article"
  data-on-payment="onPaid"></div>`;

/** GET / */
export function landingPage(baseUrl: string, offer: WalletOffer): Page {
  return {
    title: 'Pay with a swipe',
    description: 'A payment button for web pages, and a browser wallet that keeps your keys to itself.',
    styles: ['/assets/install.css'],
    main: html`
<section class="hero stack">
<h1 class="hero-title">Pay with a swipe</h1>
<p class="lead">A button for any web page, and a wallet in your browser to pay with. Ten cents or ten dollars, paid instantly, with coins only you control.</p>
<p class="cluster"><a class="button button-primary" href="/shop">Try the demo shop</a><a class="button" href="${walletLink(offer)}">Get the wallet</a><a class="button" href="/gallery">See every button</a></p>
</section>

<section aria-labelledby="how" class="stack">
<h2 class="heading" id="how">How it works</h2>
<ol class="steps">
<li class="card stack stack-tight"><h3 class="subheading">A page asks</h3><p class="muted">The button says what it’s for and what it costs. A page can’t see into your wallet or pay on your behalf.</p></li>
<li class="card stack stack-tight"><h3 class="subheading">You decide</h3><p class="muted">You swipe, and your wallet shows who’s asking, who gets paid and how much, including the network fee.</p></li>
<li class="card stack stack-tight"><h3 class="subheading">It’s paid</h3><p class="muted">Your wallet signs and sends the payment. Your keys never leave your browser.</p></li>
</ol>
</section>

${walletSection(baseUrl, offer)}

<section aria-labelledby="embed" class="stack">
<h2 class="heading" id="embed">Put it on your page</h2>
<p>One script, and one element for each button. The <a class="link" href="/gallery">gallery</a> shows every size, state and language, with the code for each.</p>
<pre class="card code" tabindex="0" aria-label="Example of a page with a button"><code>${example(baseUrl)}</code></pre>
<p class="muted">${PRODUCT_NAME} never holds your customers’ money or yours: payments go straight from wallet to wallet.</p>
</section>`,
  };
}
