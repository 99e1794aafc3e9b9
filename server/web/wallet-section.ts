/** "Get the wallet": the store if there is one, otherwise the download with steps for the visitor's browser. */
import type { Config } from '../config.ts';
import { html, type Html } from '../page/html.ts';
import type { SiteTexts } from '../page/texts.ts';
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

export interface WalletOffer {
  browser: VisitorBrowser;
  stores: Config['walletStores'];
  /** The build's version; null if there is no build. */
  version: string | null;
  /** SHA-256 of the packages, hex; null for a missing package. */
  sha256: Record<PackageName, string | null>;
}

type Texts = SiteTexts['wallet'];

/** A browser that can run the wallet. `name` is null for a whole family. `address` is the browser's extensions page. */
interface Instructions {
  name: string | null;
  address: string;
}
const CHROMIUM: Record<string, Instructions> = {
  chrome: { name: 'Chrome', address: 'chrome://extensions' },
  edge: { name: 'Edge', address: 'edge://extensions' },
  brave: { name: 'Brave', address: 'brave://extensions' },
  opera: { name: 'Opera', address: 'opera://extensions' },
};
const ANY_CHROMIUM: Instructions = { name: null, address: 'chrome://extensions' };
const FIREFOX: Instructions = { name: 'Firefox', address: 'about:debugging#/runtime/this-firefox' };

const step = (text: Html | string, picture?: Html) => html`<li class="install-step"><p>${text}</p>${picture}</li>\n`;

const download = (
  t: Texts,
  { version, sha256 }: WalletOffer,
  name: PackageName,
) => html`<p class="cluster"><a class="button button-primary" href="/${PACKAGE_FILES[name]}" download>${name === 'firefox' ? t.downloadForFirefox : t.download}</a>${version && html`<span class="muted">${t.version({ version })}</span>`}</p>
${sha256[name] && html`<p class="muted small">SHA-256 <span class="mono whole" dir="ltr">${sha256[name]}</span></p>`}`;

const inMono = (address: string) => html`<span class="mono anywhere" dir="ltr">${address}</span>`;

function forChromium(t: Texts, { name, address }: Instructions, offer: WalletOffer): Html {
  const edge = name === 'Edge';
  return html`${download(t, offer, 'chromium')}
<ol class="install-steps">
${step(t.unzip)}${step(
    edge ? t.developerModeOfEdge({ address: inMono(address) }) : t.developerMode({ address: inMono(address) }),
    edge ? developerModeOfEdge(address) : developerMode(address),
  )}${step(t.loadUnpacked, loadUnpacked(address, edge ? 200 : 16))}${step(t.selectFolder, chooseFile('service-button-wallet', 'folder'))}</ol>
<p class="muted small">${t.update}</p>`;
}

const forFirefox = (t: Texts, offer: WalletOffer) => html`${download(t, offer, 'firefox')}
<ol class="install-steps">
${step(t.keepZip)}${step(
  t.loadTemporary({ address: inMono(FIREFOX.address) }),
  loadTemporaryAddOn(FIREFOX.address),
)}${step(t.selectFile, chooseFile('service-button-wallet-firefox.zip', 'file'))}</ol>
<p class="banner banner-warning">${t.unsigned}</p>`;

/** Renders the link to a store, with manual installation steps below it. */
function fromStore(t: Texts, store: string, { name }: Instructions, byHand: Html): Html {
  return html`<p class="cluster"><a class="button button-primary" href="${store}">${t.addTo({ browser: name ?? t.chromium })}</a><span class="muted">${t.from({ host: new URL(store).host })}</span></p>
<p class="muted">${name === 'Edge' && `${t.edgeStores} `}${t.upToDate}</p>
<details class="stack stack-tight"><summary class="link">${t.withoutStore}</summary>${byHand}</details>`;
}

function card(t: Texts, instructions: Instructions, store: string | null, byHand: Html): Html {
  return html`<div class="card stack stack-tight install">
<h3 class="subheading">${instructions.name ?? t.chromium}</h3>
${store === null ? byHand : fromStore(t, store, instructions, byHand)}
</div>`;
}

function cardFor(t: Texts, kind: PackageName, instructions: Instructions, offer: WalletOffer): Html {
  return kind === 'firefox'
    ? card(t, instructions, offer.stores.firefox, forFirefox(t, offer))
    : card(t, instructions, offer.stores.chrome, forChromium(t, instructions, offer));
}

const everywhere = (t: Texts, offer: WalletOffer) =>
  html`${cardFor(t, 'chromium', ANY_CHROMIUM, offer)}${cardFor(t, 'firefox', FIREFOX, offer)}`;

const folded = (summary: string, content: Html) =>
  html`<details class="stack"><summary class="link">${summary}</summary>${content}</details>`;

const onPhone = (t: Texts, baseUrl: string) => html`<div class="card stack stack-tight">
<h3 class="subheading">${t.onComputers}</h3>
<p>${t.onComputersText({ address: inMono(baseUrl) })}</p>
<h3 class="subheading">${t.fromPhone}</h3>
<p>${t.fromPhoneText}</p>
${buttonWithCode}
<p><a class="link" href="/shop">${t.tryShop}</a></p>
</div>`;

export function walletSection(t: Texts, baseUrl: string, offer: WalletOffer): Html {
  return html`<section aria-labelledby="wallet" class="stack" data-browser="${offer.browser}">
<h2 class="heading" id="wallet">${t.title}</h2>
${content(t, baseUrl, offer)}
</section>`;
}

function content(t: Texts, baseUrl: string, offer: WalletOffer): Html {
  const { browser } = offer;
  if (browser === 'phone') return html`${onPhone(t, baseUrl)}${folded(t.howOnComputer, everywhere(t, offer))}`;
  if (browser === 'safari') return html`<p class="banner banner-info">${t.safari}</p>${everywhere(t, offer)}`;
  if (browser === 'unknown') return html`<p>${t.lead}</p>${everywhere(t, offer)}`;
  const chromium = (instructions = ANY_CHROMIUM) => cardFor(t, 'chromium', instructions, offer);
  const firefox = cardFor(t, 'firefox', FIREFOX, offer);
  const [own, other] = isChromium(browser) ? [chromium(CHROMIUM[browser]), firefox] : [firefox, chromium()];
  return html`<p>${t.lead}</p>${own}${folded(t.otherBrowser, other)}`;
}

/** Returns the target of the page's first "Get the wallet" link. */
export const walletLink = ({ browser, stores }: WalletOffer): string => storeFor(browser, stores) ?? '#wallet';
