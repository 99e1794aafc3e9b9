/** The log of an application's webhooks: every event, every attempt, and sending one again. */
import type { Application } from '../../applications/store.ts';
import type { DeliveryView, EventPage, EventView, SentBody } from '../../webhooks/log.ts';
import { html, type Html } from '../../page/html.ts';
import type { Page } from '../../page/layout.ts';
import type { Viewer } from '../../page/layout.ts';
import type { Visit } from './account-router.ts';
import { formToken, moment, named, noticeBanner } from './parts.ts';
import { pager } from './payment-list.ts';

const EVENTS: Record<EventView['type'], string> = {
  'payment.received': 'Payment received',
  'payment.completed': 'Payment confirmed',
  'payment.failed': 'Payment failed',
  'payment.refunded': 'Payment refunded',
  'webhook.test': 'Test event',
};
const STATES: Record<EventView['state'], Html> = {
  pending: html`<span class="badge badge-accent">Waiting</span>`,
  delivered: html`<span class="badge badge-success">Delivered</span>`,
  'given-up': html`<span class="badge badge-danger">Failed</span>`,
};

/** How long the page looks for the result of a test event by itself. */
const WATCHED_MS = 30_000;
/** Whether the newest event is a test that was sent just now and has no result yet. */
function awaitsTest([newest]: readonly EventView[], now: Date): boolean {
  const isNew = newest !== undefined && now.getTime() - Date.parse(newest.createdAt) < WATCHED_MS;
  return isNew && newest.type === 'webhook.test' && newest.deliveries.length === 0;
}

const result = ({ status, error }: DeliveryView) =>
  [status === null ? null : `Response ${status}`, error].filter((part) => part !== null).join(': ');

/** One attempt. Neither the signature nor a secret of the body is shown: they are not even stored. */
function attempt(delivery: DeliveryView): Html {
  return html`<li class="stack stack-tight"><p>${moment(new Date(delivery.attemptedAt))} · <span class="anywhere">${result(delivery)}</span> · ${delivery.durationMs} ms</p>
${delivery.response !== null && html`<pre class="well code wrapped" tabindex="0" aria-label="Response body">${delivery.response}</pre>`}</li>\n`;
}

function attempts({ deliveries, nextAttemptAt, type }: EventView): Html {
  const next =
    nextAttemptAt !== null &&
    html`<p class="small muted">${deliveries.length === 0 ? 'First' : 'Next'} attempt: ${moment(new Date(nextAttemptAt))}, or soon after.</p>`;
  if (deliveries.length === 0) return html`${next}`;
  return html`<details${type === 'webhook.test' && html` open`}><summary class="link">${deliveries.length === 1 ? '1 attempt' : `${deliveries.length} attempts`}</summary>
<ol class="list attempts">${deliveries.map(attempt)}</ol></details>${next}`;
}

/** The request as it was sent, but for its signature, which is made anew for each attempt. */
function request(
  { id }: EventView,
  body: SentBody | undefined,
  { webhookUrl, webhookBodySecret }: Application,
): Html | null {
  if (!body) return null;
  const headers = `POST ${webhookUrl ?? ''}\ncontent-type: application/json\nwebhook-id: ${id}\nwebhook-timestamp: (time of the attempt)\nwebhook-signature: (not stored)`;
  return html`<details><summary class="link">Request</summary>
<pre class="well code wrapped" tabindex="0" aria-label="Request">${headers}

${body.text}${body.cut && '…'}</pre>
${webhookBodySecret !== null && html`<p class="small muted">Your server gets the payment in the body <span class="mono">{secret, payment}</span>.</p>`}</details>`;
}

/** The button that sends a test event. */
export function testEventForm({ id, webhookUrl }: Application, viewer: Viewer): Html | null {
  if (webhookUrl === null) return null;
  return html`<form class="stack stack-tight" method="post" action="/account/applications/${id}/webhooks/test">${formToken(viewer)}<p><button class="button">Send a test event</button></p><p class="hint">A <span class="mono">webhook.test</span> event, signed like any other. It is not tied to a payment.</p></form>`;
}

/**
 * The events, each with its attempts.
 * @param bodies what was sent, by the event's id, where that is shown
 */
export function eventList(
  events: readonly EventView[],
  application: Application,
  viewer: Viewer,
  bodies: ReadonlyMap<string, SentBody> = new Map(),
): Html {
  return html`<ul class="card card-flush list">${events.map(
    (event) => html`<li class="event stack stack-tight">
<div class="row"><span class="label" id="${event.id}">${EVENTS[event.type]}</span>${STATES[event.state]}</div>
<p class="small muted">${moment(new Date(event.createdAt))}${event.paymentId !== null && html` · <a class="link" href="/account/payments/${event.paymentId}">View payment</a>`}</p>
${attempts(event)}
${request(event, bodies.get(event.id), application)}
${event.state !== 'pending' && html`<form method="post" action="/account/applications/${application.id}/webhooks/${event.id}/resend">${formToken(viewer)}<button class="button button-small" aria-describedby="${event.id}">Resend</button></form>`}
</li>\n`,
  )}</ul>`;
}

/** GET /account/applications/{id}/webhooks */
export function webhooksPage(
  application: Application,
  { events, nextCursor }: EventPage,
  cursor: string | null,
  bodies: ReadonlyMap<string, SentBody>,
  { viewer, flash }: Visit,
  now: Date,
): Page {
  const path = `/account/applications/${application.id}`;
  return {
    title: `Webhooks of ${application.name}`,
    description: 'Every event, and the outcome of each attempt.',
    section: 'applications',
    refreshSeconds: awaitsTest(events, now) ? 2 : undefined,
    main: html`
${noticeBanner(flash)}
<div class="stack stack-tight">
<p><a class="link" href="${path}">← ${named(application.name)}</a></p>
<h1 class="title">Webhooks</h1>
<p class="lead">Every event, newest first. If one can’t be delivered, we retry for three days.</p>
</div>
${testEventForm(application, viewer)}
${events.length === 0 ? html`<div class="card empty">${cursor === null ? 'No events yet.' : 'No more events.'}</div>` : eventList(events, application, viewer, bodies)}
${pager(`${path}/webhooks`, {}, { cursor, next: nextCursor })}`,
  };
}
