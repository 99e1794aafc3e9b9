/** The page on which a user grants scopes to an application. */
import type { Response } from 'express';
import { logoPath } from '../applications/logo.ts';
import type { Application } from '../applications/store.ts';
import type { Network } from '../../protocol/bitcoin/address.ts';
import { allowFormsTo } from '../http/headers.ts';
import type { Session } from '../identity/session.ts';
import { html, type Html } from '../page/html.ts';
import { sendPage, type TranslatedPage } from '../page/layout.ts';
import type { SiteTexts } from '../page/texts.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { UserScope } from '../identity/scopes.ts';

export interface ConsentView {
  application: Application;
  session: Session;
  request: AuthorizationRequest;
  granted: readonly UserScope[];
  /** The request's own parameters, resubmitted with the decision and validated again. */
  hidden: readonly (readonly [name: string, value: string])[];
}

const list = (scopes: readonly UserScope[], heading: Html, t: SiteTexts['consent']['scopes']) =>
  scopes.length > 0 &&
  html`
<section class="card stack stack-tight">
${heading}
<ul class="checklist">
${scopes.map((scope) => html`<li><p>${t[scope].may}</p><p class="small muted">${t[scope].not}</p></li>`)}
</ul>
</section>`;

export function consentPage({ application, session, request, granted, hidden }: ConsentView): TranslatedPage {
  const here = `/oauth/v1/authorize?${new URLSearchParams(hidden.map(([field, value]) => [field, value])).toString()}`;
  const added = request.scopes.filter((scope) => !granted.includes(scope));
  const again = request.scopes.filter((scope) => granted.includes(scope));
  const site = new URL(application.url).host;
  const goesTo = new URL(request.redirectUri).host;
  const name = html`<bdi>${application.name}</bdi>`;
  const logo = logoPath(application);
  return ({ consent: t }) => ({
    title: granted.length > 0 ? t.titleMore : t.title,
    description: t.description,
    plain: true,
    main: html`
<div class="with-logo">${logo !== null && html`<img class="app-logo" src="${logo}" alt="" width="48" height="48">`}<h1 class="title anywhere">${granted.length > 0 ? t.asksMore({ name }) : t.allow({ name })}</h1></div>
<dl class="facts">
<dt>${goesTo === site ? t.site : t.siteNamed}</dt><dd class="mono">${site}</dd>
${goesTo !== site && html`<dt>${t.sendsYouTo}</dt><dd class="mono">${goesTo}</dd>`}
<dt>${t.account}</dt><dd>${session.user.name === '' ? session.user.handle : html`<bdi>${session.user.name}</bdi> (${session.user.handle})`}<br><button class="link" form="consent" formaction="/sign-out" name="return" value="${here}" type="submit">${t.notYou}</button></dd>
</dl>
${list(added, html`<h2 class="subheading">${granted.length > 0 ? t.willAlso : t.will}</h2>`, t.scopes)}
${list(again, html`<h2 class="subheading">${t.already}</h2>`, t.scopes)}
<p>${t.never}</p>
<form method="post" action="/oauth/v1/authorize" class="stack" id="consent">
<input type="hidden" name="form-token" value="${session.formToken}">
${hidden.map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">\n`)}<div class="cluster">
<button class="button" name="decision" value="deny" type="submit">${t.no}</button>
<button class="button button-primary" name="decision" value="allow" type="submit">${t.yes}</button>
</div>
</form>`,
  });
}

/** Sends the page: no framing, no caching, and no referrer, because its URL contains the request. */
export function sendConsentPage(response: Response, page: TranslatedPage, redirectUri: string, network: Network): void {
  response.set('Referrer-Policy', 'no-referrer');
  allowFormsTo(response, new URL(redirectUri).protocol);
  sendPage(response, page, network);
}
