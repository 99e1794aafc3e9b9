/** Connected apps: their permissions, the time of consent, and revocation. */
import { listConsents, revokeConsent, type Connection } from '../../../identity/consents.ts';
import { html, type Html } from '../../../page/html.ts';
import type { Page } from '../../../page/layout.ts';
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import type { AccountContext, AccountRouter, Visit } from '../account-router.ts';
import { day, formToken, logoOf, named, noticeBanner, siteLink } from '../parts.ts';

function connectionCard({ application, since, scopes }: Connection, { viewer, words }: Visit): Html {
  const { account, consent } = words.texts;
  const t = account.connected;
  const heading = `app-${application.id}`;
  return html`<li class="card stack">
<div class="stack stack-tight">
<div class="with-logo">${logoOf(application)}<h2 class="subheading anywhere" id="${heading}">${named(application.name)}</h2></div>
<p>${siteLink(application.url)}</p>
<p class="muted">${t.since({ day: day(since, words) })}</p>
</div>
<ul class="checklist">
${scopes.map(({ scope, grantedAt }) => html`<li>${consent.scopes[scope].may} <span class="muted small">${t.grantedSince({ day: day(grantedAt, words) })}</span></li>\n`)}<li class="no">${t.never}</li>
</ul>
<form method="post" action="/account/connected/${application.id}/revoke">
${formToken(viewer)}
<button class="button button-quiet" aria-describedby="${heading}" type="submit">${t.remove}</button>
</form>
</li>`;
}

function connectedPage(connections: readonly Connection[], visit: Visit): Page {
  const t = visit.words.texts.account.connected;
  return {
    title: t.title,
    description: t.description,
    section: 'connected',
    main: html`
${noticeBanner(visit)}
<div class="stack stack-tight">
<h1 class="title">${t.title}</h1>
<p class="lead">${t.lead}</p>
</div>
${
  connections.length === 0
    ? html`<div class="card empty"><p>${t.none}</p><p>${t.noneText}</p></div>`
    : html`<ul class="stack">${connections.map((connection) => connectionCard(connection, visit))}</ul>`
}`,
  };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Serves GET /account/connected and POST /account/connected/{id}/revoke. */
export function connectedPages({ get, post }: AccountRouter, { db }: AccountContext): void {
  get('/account/connected', async (visit) => connectedPage(await listConsents(db, visit.viewer.user.id), visit));

  post('/account/connected/:id/revoke', async (_fields, { viewer, request }) => {
    const id = String(request.params.id);
    if (!UUID.test(id)) throw new ServiceError('unknown-application');
    // Succeeds even without a grant, for example after revocation in another tab.
    await revokeConsent(db, viewer.user.id, id);
    return { to: '/account/connected', flash: { notice: 'connection-revoked' } };
  });
}
