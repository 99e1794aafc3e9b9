/** The page for a test payment to an application, with a real button that pays worthless devnet coins. */
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import { findOwnApplication, type Application } from '../../../applications/store.ts';
import { html } from '../../../page/html.ts';
import type { Page } from '../../../page/layout.ts';
import type { AccountContext, AccountRouter, Visit } from '../account-router.ts';
import { backLink, named } from '../parts.ts';

function testPaymentPage({ id, name, clientIdentifier, webhookUrl }: Application, { viewer, words }: Visit): Page {
  const t = words.texts.applications.test;
  const link = (to: string) => (text: string) => html`<a class="link" href="${to}">${text}</a>`;
  const path = `/account/applications/${id}`;
  return {
    title: t.title,
    description: t.description,
    section: 'applications',
    scripts: ['/button.js'],
    main: html`
<div class="stack stack-tight">
<p>${backLink(path, named(name), words)}</p>
<h1 class="title">${t.title}</h1>
<p class="lead">${t.lead}</p>
</div>
<section class="card stack" aria-label="${t.payment}">
<noscript><p class="banner banner-warning">${t.noScript}</p></noscript>
<div class="service-button" id="test-payment" data-to="${viewer.paymail}" data-amount="0.05" data-currency="USD" data-label="${t.title}" data-button-id="test-payment" data-client-identifier="${clientIdentifier}"></div>
<p>${webhookUrl === null ? t.listed({ payments: link(`${path}/payments`) }) : t.listedAndLogged({ payments: link(`${path}/payments`), log: link(`${path}/webhooks`) })}</p>
<p class="hint">${t.hint}</p>
</section>`,
  };
}

/** Serves GET /account/applications/{id}/test-payment, except on networks whose coins have value (404). */
export function testPaymentPages({ get }: AccountRouter, { db, network }: AccountContext): void {
  get('/account/applications/:id/test-payment', async (visit) => {
    if (network !== 'devnet') throw new ServiceError('not-found');
    return testPaymentPage(await findOwnApplication(db, visit.viewer.user.id, String(visit.request.params.id)), visit);
  });
}
