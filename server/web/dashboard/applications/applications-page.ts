import { MAX_APPLICATIONS } from '../../../../protocol/http/applications.ts';
import type { Application } from '../../../applications/store.ts';
import { html } from '../../../page/html.ts';
import type { Page } from '../../../page/layout.ts';
import type { Visit } from '../account-router.ts';
import { day, logoOf, named, noticeBanner } from '../parts.ts';

/** Renders GET /account/applications. */
export function applicationsPage(applications: readonly Application[], visit: Visit): Page {
  const { words } = visit;
  const t = words.texts.applications.list;
  const full = applications.length >= MAX_APPLICATIONS;
  return {
    title: t.title,
    description: t.description,
    section: 'applications',
    main: html`
${noticeBanner(visit)}
<div class="stack stack-tight">
<h1 class="title">${t.heading}</h1>
<p class="lead">${t.lead}</p>
${applications.length > 0 && !full && html`<p><a class="button button-primary" href="/account/applications/new">${t.create}</a></p>`}
${full && html`<p class="banner banner-info">${t.full({ most: MAX_APPLICATIONS })}</p>`}
</div>
${
  applications.length === 0
    ? html`<div class="card empty"><p>${t.none}</p><p>${t.noneText}</p><p><a class="button button-primary" href="/account/applications/new">${t.create}</a></p></div>`
    : html`<ul class="card card-flush list">${applications.map(({ id, name, url, logo, createdAt }) => html`<li><a class="list-row" href="/account/applications/${id}">${logoOf({ id, logo })}<span class="list-main"><span class="list-title">${named(name)}</span><span class="list-note anywhere"><bdi>${url.replace(/^https?:\/\//, '')}</bdi> · ${t.created({ day: day(createdAt, words) })}</span></span><span class="list-aside" aria-hidden="true">›</span></a></li>\n`)}</ul>`
}`,
  };
}
