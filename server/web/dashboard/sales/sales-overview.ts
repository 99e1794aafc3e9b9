/** Sales overview for merchants: each shop's latest payments, button code, and webhooks. */
import { listApplications, type Application } from '../../../applications/store.ts';
import { listSales, type Sale } from '../../../payments/sales/sales.ts';
import { html, type Html } from '../../../page/html.ts';
import type { Words } from '../../../page/page-locale.ts';
import type { AccountContext, AccountRouter } from '../account-router.ts';
import { logoOf, named, noticeBanner } from '../parts.ts';
import { salesList } from './sales-page.ts';

const LATEST = { only: 5, several: 2 } as const;
const ALWAYS = { from: new Date(0), until: new Date('9999-01-01T00:00:00Z') };

/** Returns the HTML for an application's button, to paste into a page. */
export const buttonCode = (
  baseUrl: string,
  paymail: string,
  { clientIdentifier }: Pick<Application, 'clientIdentifier'>,
) =>
  `<script src="${baseUrl}/button.js" async></script>

<div class="service-button"
  data-to="${paymail}"
  data-amount="0.10"
  data-currency="USD"
  data-label="Read this article"
  data-client-identifier="${clientIdentifier}"></div>`;

function shop(application: Application, sales: readonly Sale[], words: Words): Html {
  const t = words.texts.applications.shops;
  const path = `/account/applications/${application.id}`;
  const heading = `shop-${application.id}`;
  return html`<section class="stack" aria-labelledby="${heading}">
<div class="with-logo">${logoOf(application)}<h2 class="heading anywhere" id="${heading}">${named(application.name)}</h2></div>
${sales.length === 0 ? html`<div class="card empty"><p>${t.noSales}</p><p>${t.noSalesText}</p></div>` : salesList(sales, words)}
<p class="cluster"><a class="button" href="${path}/payments">${t.all}</a><a class="button" href="${path}#button">${t.code}</a><a class="button" href="${path}/webhooks">${t.webhooks}</a></p>
</section>
`;
}

/** Serves GET /account/sales. */
export function salesOverview({ get }: AccountRouter, { db }: AccountContext): void {
  get('/account/sales', async (visit) => {
    const { words, viewer } = visit;
    const t = words.texts.applications.shops;
    const applications = await listApplications(db, viewer.user.id);
    const limit = applications.length > 1 ? LATEST.several : LATEST.only;
    const sales = await Promise.all(
      applications.map(({ clientIdentifier }) => listSales(db, clientIdentifier, ALWAYS, { limit })),
    );
    return {
      title: t.title,
      description: t.lead,
      section: 'sales',
      main: html`
${noticeBanner(visit)}
<div class="stack stack-tight">
<h1 class="title">${t.title}</h1>
<p class="lead">${t.lead}</p>
</div>
${
  applications.length === 0
    ? html`<div class="card empty"><p>${t.none}</p><p>${t.noneText}</p><p><a class="button button-primary" href="/account/applications/new?shop=yes">${t.create}</a></p></div>`
    : applications.map((application, i) => shop(application, sales[i] ?? [], words))
}
<p class="hint">${t.direct({ link: (text) => html`<a class="link" href="/account/payments">${text}</a>` })}</p>`,
    };
  });
}
