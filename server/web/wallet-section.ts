/** "Get the wallet": the store where there is one, else the download with the steps for the visitor's browser. */
import type { Config } from '../config.ts';
import { html, type Html } from '../page/html.ts';
import { PACKAGE_FILES, type PackageName } from '../wallet-packages.ts';
import { isChromium, storeFor, type VisitorBrowser } from './visitor-browser.ts';
import {
  buttonWithCode,
  chooseFile,
  developerMode,
  developerModeOfEdge,
  loadTemporaryAddOn,
  loadUnpacked,
} from './wallet-pictures.ts';

/** What is offered, and to whom. */
export interface WalletOffer {
  browser: VisitorBrowser;
  stores: Config['walletStores'];
  /** Of the build; null where there is none. */
  version: string | null;
  /** Of the packages, in hex; null where there is none. */
  sha256: Record<PackageName, string | null>;
}

/** A browser that the wallet runs in: its name, and the address of its page of extensions. */
interface Instructions {
  name: string;
  address: string;
}
const CHROMIUM: Record<string, Instructions> = {
  chrome: { name: 'Chrome', address: 'chrome://extensions' },
  edge: { name: 'Edge', address: 'edge://extensions' },
  brave: { name: 'Brave', address: 'brave://extensions' },
  opera: { name: 'Opera', address: 'opera://extensions' },
};
const ANY_CHROMIUM: Instructions = { name: 'Chrome, Edge, Brave or Opera', address: 'chrome://extensions' };
const FIREFOX: Instructions = { name: 'Firefox', address: 'about:debugging#/runtime/this-firefox' };

const step = (text: Html, picture?: Html) => html`<li class="install-step"><p>${text}</p>${picture}</li>\n`;

/** A download with what proves that it is the published one. */
const download = (
  { version, sha256 }: WalletOffer,
  name: PackageName,
) => html`<p class="cluster"><a class="button button-primary" href="/${PACKAGE_FILES[name]}" download>Download the wallet${name === 'firefox' && ' for Firefox'}</a>${version && html`<span class="muted">Version ${version}</span>`}</p>
${sha256[name] && html`<p class="muted small">SHA-256 <span class="mono whole">${sha256[name]}</span></p>`}`;

function forChromium({ name, address }: Instructions, offer: WalletOffer): Html {
  const edge = name === 'Edge';
  return html`${download(offer, 'chromium')}
<ol class="install-steps">
${step(html`Unzip the file into a folder you’ll keep: the browser loads the wallet from there every time it starts.`)}${step(
    html`Open <span class="mono">${address}</span> and switch on “Developer mode”${edge && ' in the column on the left'}.`,
    edge ? developerModeOfEdge(address) : developerMode(address),
  )}${step(html`Choose “Load unpacked”.`, loadUnpacked(address, edge ? 200 : 16))}${step(html`Select the unzipped folder.`, chooseFile('service-button-wallet', 'folder'))}</ol>
<p class="muted small">To update, unzip a newer download over the same folder and click the wallet’s reload icon on that page. Your wallet stays as it is.</p>`;
}

const forFirefox = (offer: WalletOffer) => html`${download(offer, 'firefox')}
<ol class="install-steps">
${step(html`Don’t unzip the file: Firefox loads it as it is.`)}${step(
  html`Open <span class="mono anywhere">${FIREFOX.address}</span> and choose “Load Temporary Add-on…”.`,
  loadTemporaryAddOn(FIREFOX.address),
)}${step(html`Select the downloaded file.`, chooseFile('service-button-wallet-firefox.zip', 'file'))}</ol>
<p class="banner banner-warning">This wallet isn’t signed by Mozilla, so Firefox removes it, with everything in it, when you close the browser. Only your recovery words can restore it.</p>`;

/** The way to a store, and below it the way without one. */
function fromStore(store: string, { name }: Instructions, byHand: Html): Html {
  return html`<p class="cluster"><a class="button button-primary" href="${store}">Add to ${name}</a><span class="muted">from ${new URL(store).host}</span></p>
<p class="muted">${name === 'Edge' && 'Edge may ask whether to allow extensions from other stores: allow it. '}Your browser keeps it up to date.</p>
<details class="stack stack-tight"><summary class="link">Without the store</summary>${byHand}</details>`;
}

function card(instructions: Instructions, store: string | null, byHand: Html): Html {
  return html`<div class="card stack stack-tight install">
<h3 class="subheading">${instructions.name}</h3>
${store === null ? byHand : fromStore(store, instructions, byHand)}
</div>`;
}

function cardFor(kind: PackageName, instructions: Instructions, offer: WalletOffer): Html {
  return kind === 'firefox'
    ? card(instructions, offer.stores.firefox, forFirefox(offer))
    : card(instructions, offer.stores.chrome, forChromium(instructions, offer));
}

/** The cards of all browsers. */
const everywhere = (offer: WalletOffer) =>
  html`${cardFor('chromium', ANY_CHROMIUM, offer)}${cardFor('firefox', FIREFOX, offer)}`;

const folded = (summary: string, content: Html) =>
  html`<details class="stack"><summary class="link">${summary}</summary>${content}</details>`;

const LEAD =
  'It takes a few clicks, then the wallet guides you. Write down your recovery words: without them, nobody can restore your money.';

const onPhone = (baseUrl: string) => html`<div class="card stack stack-tight">
<h3 class="subheading">The wallet runs on computers</h3>
<p>It’s an extension for Chrome, Edge, Brave and Firefox on a computer. Phone browsers don’t support it. Open <span class="mono anywhere">${baseUrl}</span> on your computer to get it.</p>
<h3 class="subheading">Paying from this phone</h3>
<p>You can also pay with another BSV wallet on your phone. Go back to the page you want to pay and tap the QR code next to “Get the wallet”. It opens the payment in that wallet, or lets another phone scan it. Only buttons that pay a single address have a QR code.</p>
${buttonWithCode}
<p><a class="link" href="/shop">Try it in the demo shop</a></p>
</div>`;

const inSafari = html`<p class="banner banner-info">The wallet isn’t available for Safari. Open this page in Chrome, Edge, Brave or Firefox to get it.</p>`;

/** The section of the first page that `/#wallet` leads to. */
export function walletSection(baseUrl: string, offer: WalletOffer): Html {
  return html`<section aria-labelledby="wallet" class="stack" data-browser="${offer.browser}">
<h2 class="heading" id="wallet">Get the wallet</h2>
${content(baseUrl, offer)}
</section>`;
}

function content(baseUrl: string, offer: WalletOffer): Html {
  const { browser } = offer;
  if (browser === 'phone')
    return html`${onPhone(baseUrl)}${folded('How to install it on a computer', everywhere(offer))}`;
  if (browser === 'safari') return html`${inSafari}${everywhere(offer)}`;
  if (browser === 'unknown') return html`<p>${LEAD}</p>${everywhere(offer)}`;
  const own = isChromium(browser)
    ? cardFor('chromium', CHROMIUM[browser] ?? ANY_CHROMIUM, offer)
    : cardFor('firefox', FIREFOX, offer);
  const other = isChromium(browser) ? cardFor('firefox', FIREFOX, offer) : cardFor('chromium', ANY_CHROMIUM, offer);
  return html`<p>${LEAD}</p>${own}${folded('Another browser', other)}`;
}

/** Where the first "Get the wallet" of the page leads. */
export const walletLink = ({ browser, stores }: WalletOffer): string => storeFor(browser, stores) ?? '#wallet';
