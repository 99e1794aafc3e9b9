/** A payment to try an application with: a real button, and on devnet coins that cost nothing. */
import { ServiceError } from '../../../protocol/errors.ts';
import { findOwnApplication, type Application } from '../../applications/store.ts';
import { html } from '../../page/html.ts';
import type { Page } from '../../page/layout.ts';
import type { AccountContext, AccountRouter, Visit } from './account-router.ts';
import { named } from './parts.ts';

function testPaymentPage({ id, name, clientIdentifier, webhookUrl }: Application, { viewer }: Visit): Page {
  const path = `/account/applications/${id}`;
  return {
    title: 'Test payment',
    description: 'A payment with play money through one of your applications.',
    section: 'applications',
    scripts: ['/button.js'],
    main: html`
<div class="stack stack-tight">
<p><a class="link" href="${path}">← ${named(name)}</a></p>
<h1 class="title">Test payment</h1>
<p class="lead">Pay yourself with play money, through this application, as a customer would.</p>
</div>
<section class="card stack" aria-label="Payment">
<noscript><p class="banner banner-warning">The button requires JavaScript.</p></noscript>
<div class="service-button" id="test-payment" data-to="${viewer.paymail}" data-amount="0.05" data-currency="USD" data-label="Test payment" data-button-id="test-payment" data-client-identifier="${clientIdentifier}"></div>
<p>Once it’s paid, it’s listed under <a class="link" href="${path}/payments">Payments</a>${webhookUrl === null ? '' : html`, and the <a class="link" href="${path}/webhooks">webhook log</a> shows how your server responded`}.</p>
<p class="hint">Your wallet needs a few coins for it. If it has none, it offers you some from the faucet.</p>
</section>`,
  };
}

/** GET /account/applications/{id}/test-payment: 404 where coins are worth something. */
export function testPaymentPages({ get }: AccountRouter, { db, network }: AccountContext): void {
  get('/account/applications/:id/test-payment', async (visit) => {
    if (network !== 'devnet') throw new ServiceError('not-found');
    return testPaymentPage(await findOwnApplication(db, visit.viewer.user.id, String(visit.request.params.id)), visit);
  });
}
