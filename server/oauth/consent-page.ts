/** The page that asks a person whether an application may read or do something. */
import type { Response } from 'express';
import { logoPath } from '../applications/logo.ts';
import type { Application } from '../applications/store.ts';
import type { Network } from '../../protocol/address.ts';
import { allowFormsTo } from '../http/headers.ts';
import type { Session } from '../identity/session.ts';
import { html, type Html } from '../page/html.ts';
import { sendPage, type Page } from '../page/layout.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { SCOPE_LIMITS, USER_SCOPES, type UserScope } from '../identity/scopes.ts';

/** What the page says. */
export interface ConsentView {
  application: Application;
  session: Session;
  request: AuthorizationRequest;
  /** What the user has allowed this application before. */
  granted: readonly UserScope[];
  /** The request's own parameters, which come back with the decision and are checked anew. */
  hidden: readonly (readonly [name: string, value: string])[];
}

const list = (scopes: readonly UserScope[], heading: Html) =>
  scopes.length > 0 &&
  html`
<section class="card stack stack-tight">
${heading}
<ul class="checklist">
${scopes.map((scope) => html`<li><p>${sentence(USER_SCOPES[scope])}</p><p class="small muted">${SCOPE_LIMITS[scope]}</p></li>`)}
</ul>
</section>`;

/** “know your name” begins a line as “Know your name”. */
const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** GET /oauth/v1/authorize of somebody signed in, where consent is missing. */
export function consentPage({ application, session, request, granted, hidden }: ConsentView): Page {
  const here = `/oauth/v1/authorize?${new URLSearchParams(hidden.map(([field, value]) => [field, value])).toString()}`;
  const added = request.scopes.filter((scope) => !granted.includes(scope));
  const again = request.scopes.filter((scope) => granted.includes(scope));
  const site = new URL(application.url).host;
  const goesTo = new URL(request.redirectUri).host;
  const name = html`<bdi>${application.name}</bdi>`;
  const logo = logoPath(application);
  return {
    title: granted.length > 0 ? 'Allow more?' : 'Allow access?',
    description: 'An application wants to access your account.',
    main: html`
<div class="with-logo">${logo !== null && html`<img class="app-logo" src="${logo}" alt="" width="48" height="48">`}<h1 class="title anywhere">${granted.length > 0 ? html`${name} asks for more` : html`Allow ${name}?`}</h1></div>
<dl class="facts">
<dt>${goesTo === site ? 'Site' : 'Site (named by the application)'}</dt><dd class="mono">${site}</dd>
${goesTo !== site && html`<dt>Sends you to</dt><dd class="mono">${goesTo}</dd>`}
<dt>Your account</dt><dd>${session.user.name === '' ? session.user.handle : html`<bdi>${session.user.name}</bdi> (${session.user.handle})`}<br><button class="link" form="consent" formaction="/sign-out" name="return" value="${here}">Not you?</button></dd>
</dl>
${list(added, html`<h2 class="subheading">${again.length > 0 || granted.length > 0 ? 'It will also be able to' : 'It will be able to'}</h2>`)}
${list(again, html`<h2 class="subheading">You’ve already allowed it to</h2>`)}
<p>It can never spend your money or see your recovery words or keys. It keeps this access until you remove it under “Connected apps” in your account.</p>
<form method="post" action="/oauth/v1/authorize" class="stack" id="consent">
<input type="hidden" name="form-token" value="${session.formToken}">
${hidden.map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">\n`)}<div class="cluster">
<button class="button" name="decision" value="deny">Refuse</button>
<button class="button button-primary" name="decision" value="allow">Allow</button>
</div>
</form>`,
  };
}

/** Sends the page: not frameable, not cached, and without a referrer, because its URL contains the request. */
export function sendConsentPage(response: Response, page: Page, redirectUri: string, network: Network): void {
  response.set('Referrer-Policy', 'no-referrer');
  allowFormsTo(response, new URL(redirectUri).protocol);
  sendPage(response, page, network);
}
