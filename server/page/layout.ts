/** The frame of every page: head, header, footer. */
import type { Response } from 'express';
import type { Network } from '../../protocol/bitcoin/address.ts';
import { PRODUCT_NAME } from '../../protocol/text/product.ts';
import type { Session } from '../identity/session.ts';
import { html, type Html } from './html.ts';
import { isRightToLeft } from '../../protocol/catalog.ts';
import type { LanguageCode } from '../../protocol/languages.ts';
import { scriptJson } from './page-text.ts';
import type { SiteTexts } from './texts.ts';
import { wordsFor, type Words } from './page-locale.ts';

/** A signed-in user, as shown on pages. */
export interface Viewer extends Session {
  paymail: string;
}

const ACCOUNT_SECTIONS = {
  overview: '/account',
  sales: '/account/sales',
  payments: '/account/payments',
  assets: '/account/assets',
  applications: '/account/applications',
  connected: '/account/connected',
} as const;

/** The parts of a page. `scripts` and `styles` are paths on this server. */
export interface Page {
  title: string;
  description: string;
  main: Html;
  scripts?: readonly string[];
  /** Text for the page's scripts, stored on the `main` element. */
  scriptTexts?: object;
  styles?: readonly string[];
  /** For mostly visual pages: wide enough for two columns. */
  wide?: boolean;
  /** For pages with navigation at the side: as wide as the window. */
  full?: boolean;
  /** For pages that wait for a change: reload interval in seconds. */
  refreshSeconds?: number | undefined;
  /** For pages that only signed-in users at the canonical origin see. Only the theme script runs. */
  plain?: boolean;
  section?: keyof typeof ACCOUNT_SECTIONS;
}

/** A page that is rendered in the reader's language. */
export type TranslatedPage = (texts: SiteTexts, language: LanguageCode) => Page;

/** The wallet's logo, the same as in the extension. */
const MARK = html`<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect width="32" height="32" rx="16" fill="var(--accent)"/><path d="M10 10l6 6-6 6M16.5 10l6 6-6 6" fill="none" stroke="var(--on-accent)" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const HALF_MOON = html`<svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="2"/><path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor"/></svg>`;

function viewerLink(viewer: Viewer | null, t: SiteTexts['frame']): Html {
  return viewer
    ? html`<a class="link viewer" href="/account"><span class="visually-hidden">${t.signedInAs} </span>${viewer.paymail}</a>`
    : html`<a class="link" href="/sign-in?return=%2Faccount">${t.signIn}</a>`;
}

function accountNavigation(section: Page['section'], t: SiteTexts['account']['navigation']): Html | null {
  if (section === undefined) return null;
  const names = Object.keys(ACCOUNT_SECTIONS) as (keyof typeof ACCOUNT_SECTIONS)[];
  const links = names.map(
    (name) =>
      html`<a class="tab" href="${ACCOUNT_SECTIONS[name]}"${name === section && html` aria-current="page"`}>${t[name]}</a>`,
  );
  return html`<nav class="tabs account-tabs" aria-label="${t.label}">${links}</nav>`;
}

/** Renders the complete document. @param origin the service's canonical origin, to which other host names redirect */
function layout(
  page: Page,
  { language, texts }: Words,
  network: Network,
  viewer: Viewer | null,
  origin: string | null,
): Html {
  const t = texts.frame;
  return html`<!DOCTYPE html>
<html lang="${language}"${isRightToLeft(language) && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${page.description}">
${page.refreshSeconds !== undefined && html`<meta http-equiv="refresh" content="${page.refreshSeconds}">\n`}<title>${page.title} · ${PRODUCT_NAME}</title>
<link rel="icon" href="/assets/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/look/tokens.css">
<link rel="stylesheet" href="/look/components.css">
<link rel="stylesheet" href="/assets/pages.css">
${
  origin !== null &&
  !page.plain &&
  html`<script src="/assets/own-address.js" data-origin="${origin}"></script>
`
}<script src="/assets/theme.js"></script>
${page.styles?.map((path) => html`<link rel="stylesheet" href="${path}">\n`)}${page.scripts?.map((path) => html`<script src="${path}" defer></script>\n`)}</head>
<body>
<a class="skip-link" href="#main">${t.skip}</a>
<div class="page${page.wide && ' page-wide'}${page.full && ' page-full'}">
<header class="page-header">
<a class="brand" href="/">${MARK}<span>${PRODUCT_NAME}</span></a>
<nav class="cluster" aria-label="${t.pages}"><a class="link" href="/gallery">${t.gallery}</a><a class="link" href="/shop">${t.shop}</a><a class="link" href="/docs">${t.docs}</a><a class="link" href="/api/reference">API</a>${viewerLink(viewer, t)}</nav>
<button type="button" class="icon-button theme-toggle" data-to-dark="${t.toDark}" data-to-light="${t.toLight}" hidden>${HALF_MOON}</button>
</header>
${accountNavigation(page.section, texts.account.navigation)}<main id="main" class="stack stack-loose" tabindex="-1"${page.scriptTexts && html` data-texts="${scriptJson(page.scriptTexts)}"`}>
${page.main}
</main>
<footer class="page-footer row"><span>${PRODUCT_NAME}</span><span>${t.networks[network]}</span></footer>
</div>
</body>
</html>
`;
}

/**
 * Sends a page in the browser's preferred language. A `Page` must already use {@link wordsFor}. Pages aren't cached,
 * because they depend on the viewer.
 */
export function sendPage(response: Response, page: Page | TranslatedPage, network: Network, status = 200): void {
  const words = wordsFor(response.req);
  const viewer = (response.locals.viewer ?? null) as Viewer | null;
  response.vary('Accept-Language');
  response
    .status(status)
    .set({ 'Cache-Control': 'no-store', 'Content-Language': words.language })
    .type('html')
    .send(
      layout(
        typeof page === 'function' ? page(words.texts, words.language) : page,
        words,
        network,
        viewer,
        (response.app.locals.baseUrl ?? null) as string | null,
      ).toString(),
    );
}
