/** An application's webhook log: events, attempts, and resending. */
import type { Application } from '../../../applications/store.ts';
import type { DeliveryView, EventPage, EventView, SentBody } from '../../../webhooks/log.ts';
import { html, type Html } from '../../../page/html.ts';
import type { Page } from '../../../page/layout.ts';
import type { ApplicationTexts } from '../../../page/texts.ts';
import type { Words } from '../../../page/page-locale.ts';
import { numberText } from '../../../page/figures.ts';
import type { Visit } from '../account-router.ts';
import { backLink, formToken, moment, named, noticeBanner, translated } from '../parts.ts';
import { pager } from '../payments/payment-list.ts';

const BADGES: Record<EventView['state'], string> = {
  pending: 'badge-accent',
  delivered: 'badge-success',
  'given-up': 'badge-danger',
};

/** How long the page keeps reloading to wait for a test event's result (ms). */
const WATCHED_MS = 30_000;
/** True if the newest event is a recent test event without a result. */
function awaitsTest([newest]: readonly EventView[], now: Date): boolean {
  const isNew = newest !== undefined && now.getTime() - Date.parse(newest.createdAt) < WATCHED_MS;
  return isNew && newest.type === 'webhook.test' && newest.deliveries.length === 0;
}

/** Translates the reason why an attempt failed. A receiver's own response isn't translated. */
function errorText(error: string, { errors }: ApplicationTexts['webhooks']): string {
  const [, before = '', value = '', after = ''] =
    /^(No answer within |The connection failed \()([\w.]+)(.*)$/.exec(error) ?? [];
  return translated(before === '' ? error : `${before}#${after}`, errors).replace('#', value);
}

const result = ({ status, error }: DeliveryView, t: ApplicationTexts['webhooks']) =>
  [status === null ? null : t.response({ status }), error === null ? null : errorText(error, t)]
    .filter((part) => part !== null)
    .join(': ');

/** Shows an attempt, without the signature or the body's secret, which aren't stored. */
function attempt(delivery: DeliveryView, words: Words): Html {
  const t = words.texts.applications.webhooks;
  const { attemptedAt, durationMs, response } = delivery;
  return html`<li class="stack stack-tight"><p>${moment(new Date(attemptedAt), words)} · <bdi class="anywhere">${result(delivery, t)}</bdi> · ${t.milliseconds({ number: numberText(durationMs, words.language) })}</p>
${response !== null && html`<pre class="well code wrapped" dir="auto" tabindex="0" role="group" aria-label="${t.responseBody}">${translated(response, t.errors)}</pre>`}</li>\n`;
}

function attempts({ deliveries, nextAttemptAt, type }: EventView, words: Words): Html {
  const t = words.texts.applications.webhooks;
  const next =
    nextAttemptAt !== null &&
    html`<p class="small muted">${(deliveries.length === 0 ? t.first : t.next)({ time: moment(new Date(nextAttemptAt), words) })}</p>`;
  if (deliveries.length === 0) return html`${next}`;
  return html`<details${type === 'webhook.test' && html` open`}><summary class="link">${t.attempts({ count: deliveries.length })}</summary>
<ol class="list attempts">${deliveries.map((one) => attempt(one, words))}</ol></details>${next}`;
}

/** Shows the request as sent, except for its signature, which differs for each attempt. */
function request(
  { id }: EventView,
  body: SentBody | undefined,
  { webhookUrl, webhookBodySecret }: Application,
  { webhooks: t }: Words['texts']['applications'],
): Html | null {
  if (!body) return null;
  const headers = `POST ${webhookUrl ?? ''}\ncontent-type: application/json\nwebhook-id: ${id}\nwebhook-timestamp: (${t.timeOfAttempt})\nwebhook-signature: (${t.notStored})`;
  return html`<details><summary class="link">${t.request}</summary>
<pre class="well code wrapped" dir="ltr" tabindex="0" role="group" aria-label="${t.request}">${headers}

${body.text}${body.cut && '…'}</pre>
${webhookBodySecret !== null && html`<p class="small muted">${t.oldBody({ body: html`<span class="mono">{secret, payment}</span>` })}</p>`}</details>`;
}

/** Explains webhooks, with a link to the form for the webhook URL. */
export const noWebhookUrl = ({ id }: Application, { webhooks: t }: Words['texts']['applications']) =>
  html`<p>${t.none} <a class="link" href="/account/applications/${id}/edit">${t.add}</a></p>`;

export function testEventForm({ id, webhookUrl }: Application, { viewer, words }: Visit): Html | null {
  if (webhookUrl === null) return null;
  const t = words.texts.applications.webhooks;
  return html`<form class="stack stack-tight" method="post" action="/account/applications/${id}/webhooks/test">${formToken(viewer)}<p><button class="button" type="submit">${t.sendTest}</button></p><p class="hint">${t.sendTestText({ event: html`<span class="mono">webhook.test</span>` })}</p></form>`;
}

/** Lists events with their attempts. @param bodies the sent bodies by event ID, if they are shown */
export function eventList(
  events: readonly EventView[],
  application: Application,
  { viewer, words }: Visit,
  bodies: ReadonlyMap<string, SentBody> = new Map(),
): Html {
  const t = words.texts.applications.webhooks;
  return html`<ul class="card card-flush list">${events.map(
    (event) => html`<li class="event stack stack-tight">
<div class="row"><span class="label" id="${event.id}">${t.events[event.type]}</span><span class="badge ${BADGES[event.state]}">${t.states[event.state]}</span></div>
<p class="small muted">${moment(new Date(event.createdAt), words)}${event.paymentId !== null && html` · <a class="link" href="/account/payments/${event.paymentId}">${t.viewPayment}</a>`}</p>
${attempts(event, words)}
${request(event, bodies.get(event.id), application, words.texts.applications)}
${event.state !== 'pending' && html`<form method="post" action="/account/applications/${application.id}/webhooks/${event.id}/resend">${formToken(viewer)}<button class="button button-small" aria-describedby="${event.id}" type="submit">${t.resend}</button></form>`}
</li>\n`,
  )}</ul>`;
}

/** Renders GET /account/applications/{id}/webhooks. */
export function webhooksPage(
  application: Application,
  { events, nextCursor }: EventPage,
  cursor: string | null,
  bodies: ReadonlyMap<string, SentBody>,
  visit: Visit,
  now: Date,
): Page {
  const { words } = visit;
  const t = words.texts.applications.webhooks;
  const path = `/account/applications/${application.id}`;
  return {
    title: t.title({ name: application.name }),
    description: t.description,
    section: 'applications',
    refreshSeconds: awaitsTest(events, now) ? 2 : undefined,
    main: html`
${noticeBanner(visit)}
<div class="stack stack-tight">
<p>${backLink(path, named(application.name), words)}</p>
<h1 class="title">${t.heading}</h1>
<p class="lead">${t.lead}</p>
</div>
${application.webhookUrl === null ? html`<div class="card">${noWebhookUrl(application, words.texts.applications)}</div>` : testEventForm(application, visit)}
${events.length === 0 ? html`<div class="card empty">${cursor === null ? t.empty : t.noMore}</div>` : eventList(events, application, visit, bodies)}
${pager(`${path}/webhooks`, {}, { cursor, next: nextCursor }, words, t.more)}`,
  };
}
