/** One's own applications. */
import { MAX_APPLICATIONS } from '../../../protocol/applications.ts';
import type { Application } from '../../applications/store.ts';
import { html } from '../../page/html.ts';
import type { Page } from '../../page/layout.ts';
import type { Visit } from './account-router.ts';
import { day, logoOf, named, noticeBanner } from './parts.ts';

/** GET /account/applications */
export function applicationsPage(applications: readonly Application[], { flash }: Visit): Page {
  const full = applications.length >= MAX_APPLICATIONS;
  return {
    title: 'Your applications',
    description: 'The applications you build on this service.',
    section: 'applications',
    main: html`
${noticeBanner(flash)}
<div class="stack stack-tight">
<h1 class="title">Applications</h1>
<p class="lead">For developers: an application lets people sign in to your site, and shows you the payments made through your buttons.</p>
${applications.length > 0 && !full && html`<p><a class="button button-primary" href="/account/applications/new">New application</a></p>`}
${full && html`<p class="banner banner-info">You have ${MAX_APPLICATIONS} applications, the maximum. Delete one before you create another.</p>`}
</div>
${
  applications.length === 0
    ? html`<div class="card empty"><p>You have no applications yet.</p><p>You don’t need one to put a button on a page. Create one to see payments made through your buttons, get webhooks, or let people sign in.</p><p><a class="button button-primary" href="/account/applications/new">New application</a></p></div>`
    : html`<ul class="card card-flush list">${applications.map(({ id, name, url, logo, createdAt }) => html`<li><a class="list-row" href="/account/applications/${id}">${logoOf({ id, logo })}<span class="list-main"><span class="list-title">${named(name)}</span><span class="list-note anywhere">${url.replace(/^https?:\/\//, '')} · created ${day(createdAt)}</span></span><span class="list-aside" aria-hidden="true">›</span></a></li>\n`)}</ul>`
}`,
  };
}
