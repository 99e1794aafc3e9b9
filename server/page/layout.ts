/** The frame of every page: head, header, footer. */
import type { Response } from 'express';
import type { Network } from '../../protocol/address.ts';
import { PRODUCT_NAME } from '../../protocol/product.ts';
import type { Session } from '../identity/session.ts';
import { html, type Html } from './html.ts';
import { preferredLanguage, type SiteLanguage } from './language.ts';
import { SITE_TEXTS, type SiteTexts } from './texts.ts';

/** A signed-in user, as pages name them. */
export interface Viewer extends Session {
  paymail: string;
}

/** The pages of an account that its navigation names. */
const ACCOUNT_SECTIONS = {
  overview: { path: '/account', name: 'Account' },
  payments: { path: '/account/payments', name: 'Payments' },
  applications: { path: '/account/applications', name: 'Applications' },
  connected: { path: '/account/connected', name: 'Connected apps' },
} as const;

/** What a page is made of. `scripts` and `styles` are paths on this server. */
export interface Page {
  title: string;
  description: string;
  main: Html;
  scripts?: readonly string[];
  styles?: readonly string[];
  /** For what is looked at rather than read: two columns find room. */
  wide?: boolean;
  /** For what has a navigation of its own beside it: as wide as the window. */
  full?: boolean;
  /** For a page that waits for something: it is loaded again after so many seconds. */
  refreshSeconds?: number | undefined;
  /** For a page of the user's account: where in it. */
  section?: keyof typeof ACCOUNT_SECTIONS;
}

/** A page that is there in every language of the site. */
export type TranslatedPage = (texts: SiteTexts, language: SiteLanguage) => Page;

/** The wallet's logo, as its own windows have it. */
const MARK = html`<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect width="32" height="32" rx="16" fill="var(--accent)"/><path d="M10 10l6 6-6 6M16.5 10l6 6-6 6" fill="none" stroke="var(--on-accent)" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const HALF_MOON = html`<svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="2"/><path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor"/></svg>`;

/** Who is signed in, with the way to their account, or the way to sign in. */
function viewerLink(viewer: Viewer | null, t: SiteTexts['frame']): Html {
  return viewer
    ? html`<a class="link viewer" href="/account"><span class="visually-hidden">${t.signedInAs} </span>${viewer.paymail}</a>`
    : html`<a class="link" href="/sign-in?return=%2Faccount">${t.signIn}</a>`;
}

function accountNavigation(section: Page['section']): Html | null {
  if (section === undefined) return null;
  const links = Object.entries(ACCOUNT_SECTIONS).map(
    ([name, { path, name: title }]) =>
      html`<a class="tab" href="${path}"${name === section && html` aria-current="page"`}>${title}</a>`,
  );
  return html`<nav class="tabs account-tabs" aria-label="Your account">${links}</nav>`;
}

function layout(page: Page, language: SiteLanguage, network: Network, viewer: Viewer | null): Html {
  const t = SITE_TEXTS[language].frame;
  return html`<!doctype html>
<html lang="${language}"${language === 'ar' && html` dir="rtl"`}>
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
<script src="/assets/theme.js"></script>
${page.styles?.map((path) => html`<link rel="stylesheet" href="${path}">\n`)}${page.scripts?.map((path) => html`<script src="${path}" defer></script>\n`)}</head>
<body>
<a class="skip-link" href="#main">${t.skip}</a>
<div class="page${page.wide && ' page-wide'}${page.full && ' page-full'}">
<header class="page-header">
<a class="brand" href="/">${MARK}<span>${PRODUCT_NAME}</span></a>
<nav class="cluster" aria-label="${t.pages}"><a class="link" href="/gallery">${t.gallery}</a><a class="link" href="/shop">${t.shop}</a><a class="link" href="/api/reference">API</a>${viewerLink(viewer, t)}<button type="button" class="icon-button theme-toggle" data-to-dark="${t.toDark}" data-to-light="${t.toLight}" hidden>${HALF_MOON}</button></nav>
</header>
${accountNavigation(page.section)}<main id="main" class="stack stack-loose" tabindex="-1">
${page.main}
</main>
<footer class="page-footer row"><span>${PRODUCT_NAME}</span><span>${t.networks[network]}</span></footer>
</div>
</body>
</html>
`;
}

/**
 * Sends a page: a translated one in the language that the browser prefers, any other in English. Pages are not cached:
 * what they say depends on who looks, as far as `readViewer` found that out.
 */
export function sendPage(response: Response, page: Page | TranslatedPage, network: Network, status = 200): void {
  const translated = typeof page === 'function';
  const language = translated ? preferredLanguage(response.req.headers['accept-language']) : 'en';
  const viewer = (response.locals.viewer ?? null) as Viewer | null;
  if (translated) response.vary('Accept-Language');
  response
    .status(status)
    .set({ 'Cache-Control': 'no-store', 'Content-Language': language })
    .type('html')
    .send(layout(translated ? page(SITE_TEXTS[language], language) : page, language, network, viewer).toString());
}
