/** Connected apps: who may read what since when, and taking it back. */
import { listConsents, revokeConsent, type Connection } from '../../identity/consents.ts';
import { USER_SCOPES } from '../../identity/scopes.ts';
import { html, type Html } from '../../page/html.ts';
import type { Page } from '../../page/layout.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import type { AccountContext, AccountRouter, Visit } from './account-router.ts';
import { day, formToken, logoOf, named, noticeBanner, siteLink } from './parts.ts';

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

function connectionCard({ application, since, scopes }: Connection, { viewer }: Visit): Html {
  const heading = `app-${application.id}`;
  return html`<li class="card stack">
<div class="stack stack-tight">
<div class="with-logo">${logoOf(application)}<h2 class="subheading anywhere" id="${heading}">${named(application.name)}</h2></div>
<p>${siteLink(application.url)}</p>
<p class="muted">Connected since ${day(since)}. It can:</p>
</div>
<ul class="checklist">
${scopes.map(({ scope, grantedAt }) => html`<li>${sentence(USER_SCOPES[scope])} <span class="muted small">since ${day(grantedAt)}</span></li>\n`)}<li class="no">It can never spend your money or see your keys.</li>
</ul>
<form method="post" action="/account/connected/${application.id}/revoke">
${formToken(viewer)}
<button class="button button-quiet" aria-describedby="${heading}">Remove access</button>
</form>
</li>`;
}

function connectedPage(connections: readonly Connection[], visit: Visit): Page {
  return {
    title: 'Connected apps',
    description: 'Applications with access to your account.',
    section: 'connected',
    main: html`
${noticeBanner(visit.flash)}
<div class="stack stack-tight">
<h1 class="title">Connected apps</h1>
<p class="lead">Applications with access to your account. If you remove access, it ends right away.</p>
</div>
${
  connections.length === 0
    ? html`<div class="card empty"><p>No application has access to your account.</p><p>When you sign in to a site with this service, it appears here.</p></div>`
    : html`<ul class="stack">${connections.map((connection) => connectionCard(connection, visit))}</ul>`
}`,
  };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** GET /account/connected, POST /account/connected/{id}/revoke */
export function connectedPages({ get, post }: AccountRouter, { db }: AccountContext): void {
  get('/account/connected', async (visit) => connectedPage(await listConsents(db, visit.viewer.user.id), visit));

  post('/account/connected/:id/revoke', async (_fields, { viewer, request }) => {
    const id = String(request.params.id);
    if (!UUID.test(id)) throw new ServiceError('unknown-application');
    // An application that has no access any more, perhaps revoked in another tab, is a success.
    await revokeConsent(db, viewer.user.id, id);
    return { to: '/account/connected', flash: { notice: 'connection-revoked' } };
  });
}
