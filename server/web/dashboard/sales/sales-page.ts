/** The payments made through an application: daily totals, filters, list, and CSV export. */
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import { METADATA } from '../../../../protocol/payments/metadata.ts';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../../protocol/payments/payment.ts';
import { findOwnApplication, type Application } from '../../../applications/store.ts';
import type { Limit, RateLimits } from '../../../http/rate-limit.ts';
import { html, type Html } from '../../../page/html.ts';
import { readCursor, writeCursor } from '../../../payments/read.ts';
import { currenciesOf, sumsBetween } from '../../../payments/sales/sales-sums.ts';
import {
  isSearchTooSlow,
  listSales,
  recentButtons,
  type Sale,
  type SalesFilter,
} from '../../../payments/sales/sales.ts';
import type { AccountContext, AccountRouter, Visit } from '../account-router.ts';
import type { Words } from '../../../page/page-locale.ts';
import {
  amountClass,
  backLink,
  moment,
  movedText,
  named,
  plainDay,
  refundBadge,
  networkBadge,
  statusBadge,
  tokenBadge,
} from '../parts.ts';
import { PER_PAGE, pager } from '../payments/payment-list.ts';
import { salesChart } from './sales-chart.ts';
import { CSV_HEAD, salesLine } from './sales-csv.ts';
import { daysLater, daysOf, timeZoneOf, type Days } from '../time-zone.ts';

const STATUSES: readonly PaymentStatus[] = PAYMENT_STATUSES.filter((status) => status !== 'PENDING');
/** Max characters of a search. No searchable value is longer. */
const MAX_SEARCH_CHARS = 400;
/** Rows per query of the export. */
const CSV_PART = 500;
const CSV_BY_OWNER: Limit = { name: 'payments-csv', perMinute: 6, burst: 10 };

interface Query {
  days: Days;
  status: PaymentStatus | undefined;
  button: string | undefined;
  search: string | undefined;
  currency: string | undefined;
  cursor: string | null;
}

/** Returns a filter's text without NUL, which PostgreSQL can't store; undefined if nothing remains. */
function sought(value: unknown, longest: number): string | undefined {
  const text = typeof value === 'string' ? value.replaceAll('\0', '').trim().slice(0, longest) : '';
  return text === '' ? undefined : text;
}

function readQuery({ request }: Visit, now: Date): Query {
  const { status, button, search, currency, cursor } = request.query;
  return {
    days: daysOf(request.query, timeZoneOf(request), now),
    status: STATUSES.find((one) => one === status),
    button: sought(button, METADATA.buttonId),
    search: sought(search, MAX_SEARCH_CHARS),
    currency: typeof currency === 'string' ? currency : undefined,
    cursor: typeof cursor === 'string' ? cursor : null,
  };
}

const filterOf = ({ days: { bounds }, status, button, search }: Query): SalesFilter => ({
  from: bounds[0] as Date,
  until: bounds.at(-1) as Date,
  status,
  button,
  search,
});

function byWhom({ userId, senderPaymail, label, buttonId }: Sale, { applications, account }: Words['texts']): Html {
  const payer =
    senderPaymail === null
      ? userId === null
        ? applications.sales.unknownPayer
        : account.payments.user({ id: String(userId) })
      : html`<bdi>${senderPaymail}</bdi>`;
  const button = label === null ? buttonId?.slice(0, 60) : `“${label.slice(0, 60)}”`;
  return html`${payer}${button !== undefined && html` · <bdi>${button}</bdi>`}`;
}

/** Renders payments as links, with the amount first, then the payer and button. */
export function salesList(sales: readonly Sale[], words: Words): Html {
  return html`<ul class="card card-flush list">${sales.map(
    (sale) => html`<li><a class="list-row payment-row" href="/account/payments/${sale.id}">
<span class="list-main"><span class="list-title ${amountClass(sale.currency)}">${movedText(sale.satoshis, sale, words)}</span><span class="list-note anywhere">${byWhom(sale, words.texts)}</span></span>
<span class="list-aside">${statusBadge(sale.status, words)}${networkBadge(sale, words)}${tokenBadge(sale, words)}${refundBadge(sale, words)}<span class="list-note">${moment(sale.createdAt, words)}</span></span>
</a></li>\n`,
  )}</ul>`;
}

function filterForm(
  path: string,
  { days, status, button, search }: Query,
  { currencies, currency, buttons }: { currencies: readonly string[]; currency: string; buttons: readonly string[] },
  { account, applications }: Words['texts'],
): Html {
  const t = applications.sales;
  const option = (value: string, name: string, chosen: boolean) =>
    html`<option value="${value}"${chosen && html` selected`}>${name}</option>\n`;
  return html`<form class="card filters" method="get" action="${path}" aria-label="${t.filter}">
<div class="field"><label class="label" for="from">${t.from}</label><input class="input" type="date" id="from" name="from" value="${days.from}" required></div>
<div class="field"><label class="label" for="to">${t.to}</label><input class="input" type="date" id="to" name="to" value="${days.to}" required></div>
<div class="field"><label class="label" for="status">${t.status}</label><select class="select" id="status" name="status">${option('', t.all, status === undefined)}${STATUSES.map((one) => option(one, account.statuses[one].name, one === status))}</select></div>
${currencies.length > 1 && html`<div class="field"><label class="label" for="currency">${t.totalIn}</label><select class="select" id="currency" name="currency">${currencies.map((one) => option(one, one, one === currency))}</select></div>`}
<div class="field filter-wide"><label class="label" for="button">${t.button}</label><input class="input" type="text" id="button" name="button" list="buttons" maxlength="${METADATA.buttonId}" autocomplete="off" value="${button ?? ''}" aria-describedby="button-hint"><datalist id="buttons">${buttons.map((one) => html`<option value="${one}"></option>\n`)}</datalist><p class="hint" id="button-hint">${t.buttonHint}</p></div>
<div class="field filter-wide"><label class="label" for="search">${t.search}</label><input class="input" type="search" dir="auto" id="search" name="search" maxlength="${MAX_SEARCH_CHARS}" autocomplete="off" value="${search ?? ''}" aria-describedby="search-hint"><p class="hint" id="search-hint">${t.searchHint}</p></div>
<p class="cluster filter-end"><button class="button button-primary" type="submit">${t.apply}</button><a class="button button-quiet" href="${path}">${t.reset}</a></p>
</form>`;
}

/** Serves GET /account/applications/{id}/payments and …/payments.csv. */
export function salesPages(
  { get, download }: AccountRouter,
  { db, now, limits }: AccountContext & { limits: RateLimits },
): void {
  const applicationOf = ({ viewer, request }: Visit): Promise<Application> =>
    findOwnApplication(db, viewer.user.id, String(request.params.id));

  get('/account/applications/:id/payments', async (visit) => {
    const { words } = visit;
    const t = words.texts.applications.sales;
    const application = await applicationOf(visit);
    const { clientIdentifier: client } = application;
    const query = readQuery(visit, now());
    const { days, cursor } = query;
    const filter = filterOf(query);
    const { from, until } = filter;
    const summed = { client, button: query.button };
    const after = cursor === null ? undefined : readCursor(cursor);
    const [listed, currencies, buttons] = await Promise.all([
      listSales(db, client, filter, { limit: PER_PAGE + 1, after }).catch((error: unknown) => {
        if (isSearchTooSlow(error)) return null;
        throw error;
      }),
      currenciesOf(db, summed, from, until),
      recentButtons(db, client, from, until),
    ]);
    const currency = currencies.find((one) => one === query.currency) ?? currencies[0] ?? 'USD';
    const sales = listed ?? [];
    const sums = await sumsBetween(db, summed, currency, days.bounds);
    const names = days.bounds.slice(1).map((_, i) => daysLater(days.from, i));
    const shown = sales.slice(0, PER_PAGE);
    const last = shown.at(-1);
    const next = sales.length > PER_PAGE && last ? writeCursor(last) : null;
    const path = `/account/applications/${application.id}/payments`;
    const parameters = {
      from: days.from,
      to: days.to,
      ...(query.status && { status: query.status }),
      ...(query.button !== undefined && { button: query.button }),
      ...(query.search !== undefined && { search: query.search }),
      ...(query.currency !== undefined && { currency }),
    };
    const isNarrow = [query.status, query.button, query.search].some((one) => one !== undefined);
    return {
      title: t.title({ name: application.name }),
      description: t.description,
      section: 'sales',
      main: html`
<div class="stack stack-tight">
<p>${backLink(`/account/applications/${application.id}`, named(application.name), words)}</p>
<h1 class="title">${t.heading}</h1>
<p class="lead">${plainDay(days.from, words)} – ${plainDay(days.to, words)}. <span data-shown-in="${days.timeZone}">${t.daysIn({ zone: html`<bdi>${days.timeZone.replaceAll('_', ' ')}</bdi>` })}</span></p>
</div>
${salesChart(days, sums, currency, names, query.button ?? null, words)}
${filterForm(path, query, { currencies, currency, buttons }, words.texts)}
<section class="stack" aria-labelledby="list">
<div class="row"><h2 class="heading" id="list">${isNarrow ? t.matching : t.allPayments}</h2><a class="button button-small" href="${path}.csv?${new URLSearchParams(parameters).toString()}" download>${t.export}</a></div>
${shown.length === 0 ? html`<div class="card empty">${listed === null ? t.tooSlow : cursor !== null ? words.texts.account.payments.noMore : isNarrow ? t.noneMatch : t.none}</div>` : salesList(shown, words)}
${pager(path, parameters, { cursor, next }, words)}
</section>`,
    };
  });

  download('/account/applications/:id/payments.csv', async (visit, response) => {
    const { clientIdentifier, ownerId } = await applicationOf(visit);
    await limits.take(CSV_BY_OWNER, String(ownerId), response);
    const query = readQuery(visit, now());
    let after: Sale | undefined;
    do {
      const part: Sale[] = await listSales(db, clientIdentifier, filterOf(query), { limit: CSV_PART, after }).catch(
        (error: unknown) => {
          // A slow search isn't a server error. The HTML page, which users open first, explains what to do.
          if (isSearchTooSlow(error)) throw new ServiceError('too-many-requests', { cause: error });
          throw error;
        },
      );
      // Sent only after the first query so that a failed query can still get an error response.
      if (!response.headersSent) {
        response.type('text/csv').attachment(`payments-${query.days.from}-${query.days.to}.csv`);
        response.write(CSV_HEAD);
      }
      after = part.length === CSV_PART ? part.at(-1) : undefined;
      const room = response.write(part.map(salesLine).join(''));
      // Waits for slow clients instead of buffering rows for them, and stops after a disconnect.
      if (!room && !response.destroyed)
        await new Promise<void>((resolve) => {
          const goOn = () => {
            response.off('drain', goOn).off('close', goOn);
            resolve();
          };
          response.on('drain', goOn).on('close', goOn);
        });
    } while (after && !response.destroyed);
    response.end();
  });
}
