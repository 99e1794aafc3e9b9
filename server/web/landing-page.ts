import { html } from '../page/html.ts';
import type { TranslatedPage } from '../page/layout.ts';
import { REQUEST, DECIDES, PAID } from './step-pictures.ts';
import { walletLink, walletSection, type WalletOffer } from './wallet-section.ts';

const example = (baseUrl: string) => `<script src="${baseUrl}/button.js" async></script>

<div class="service-button"
  data-to="your address"
  data-amount="0.10"
  data-currency="USD"
  data-label="Read this article"></div>`;

/** Renders GET /. */
export function landingPage(baseUrl: string, offer: WalletOffer): TranslatedPage {
  return ({ landing: t, wallet }) => ({
    title: t.title,
    description: t.description,
    styles: ['/assets/install.css'],
    scripts: ['/button.js'],
    main: html`
<section class="hero stack">
<h1 class="hero-title">${t.title}</h1>
<p class="lead">${t.lead}</p>
<p class="cluster"><a class="button button-primary" href="/shop">${t.shop}</a><a class="button" href="${walletLink(offer)}">${wallet.title}</a><a class="button" href="/gallery">${t.gallery}</a></p>
<div class="try stack stack-tight"><div class="service-button" id="try" data-dev-mode="true" data-to="author@example.com" data-amount="0.10" data-currency="USD" data-label="${t.tryLabel}"></div><p class="hint">${t.tryText}</p></div>
</section>

<section aria-labelledby="how" class="stack">
<h2 class="heading" id="how">${t.how}</h2>
<ol class="steps">
<li class="card stack stack-tight">${REQUEST}<h3 class="subheading">${t.asks}</h3><p class="muted">${t.asksText}</p></li>
<li class="card stack stack-tight">${DECIDES}<h3 class="subheading">${t.decide}</h3><p class="muted">${t.decideText}</p></li>
<li class="card stack stack-tight">${PAID}<h3 class="subheading">${t.paid}</h3><p class="muted">${t.paidText}</p></li>
</ol>
</section>

${walletSection(wallet, baseUrl, offer)}

<section aria-labelledby="embed" class="stack">
<h2 class="heading" id="embed">${t.embed}</h2>
<p>${t.embedText({ link: (name) => html`<a class="link" href="/gallery">${name}</a>` })}</p>
<pre class="card code" dir="ltr" tabindex="0" role="group" aria-label="${t.example}"><code>${example(baseUrl)}</code></pre>
<p class="muted">${t.custody}</p>
</section>`,
  });
}
