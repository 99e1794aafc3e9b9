/** The log of an application's webhooks: every event, every attempt, and sending one again. */
import type { Application } from '../../applications/store.ts';
import type { DeliveryView, EventPage, EventView } from '../../webhooks/log.ts';
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
};
const STATES: Record<EventView['state'], Html> = {
  pending: html`<span class="badge badge-accent">Waiting</span>`,
  delivered: html`<span class="badge badge-success">Delivered</span>`,
  'given-up': html`<span class="badge badge-danger">Failed</span>`,
};

function attempts({ deliveries, nextAttemptAt }: EventView): Html {
  const next =
    nextAttemptAt !== null &&
    html`<p class="small muted">${deliveries.length === 0 ? 'First' : 'Next'} attempt: ${moment(new Date(nextAttemptAt))}, or soon after.</p>`;
  if (deliveries.length === 0) return html`${next}`;
  const answer = ({ status, error }: DeliveryView) =>
    [status === null ? null : `Response ${status}`, error].filter((part) => part !== null).join(': ');
  return html`<details><summary class="link">${deliveries.length === 1 ? '1 attempt' : `${deliveries.length} attempts`}</summary>
<ol class="list attempts">${deliveries.map((delivery) => html`<li>${moment(new Date(delivery.attemptedAt))} · <span class="anywhere">${answer(delivery)}</span> · ${delivery.durationMs} ms</li>\n`)}</ol></details>${next}`;
}

/** The events, each with its attempts. */
export function eventList(events: readonly EventView[], application: Application, viewer: Viewer): Html {
  return html`<ul class="card card-flush list">${events.map(
    (event) => html`<li class="event stack stack-tight">
<div class="row"><span class="label" id="${event.id}">${EVENTS[event.type]}</span>${STATES[event.state]}</div>
<p class="small muted">${moment(new Date(event.createdAt))} · <a class="link" href="/account/payments/${event.paymentId}">View payment</a></p>
${attempts(event)}
${event.state !== 'pending' && html`<form method="post" action="/account/applications/${application.id}/webhooks/${event.id}/resend">${formToken(viewer)}<button class="button button-small" aria-describedby="${event.id}">Resend</button></form>`}
</li>\n`,
  )}</ul>`;
}

/** GET /account/applications/{id}/webhooks */
export function webhooksPage(
  application: Application,
  { events, nextCursor }: EventPage,
  cursor: string | null,
  { viewer, flash }: Visit,
): Page {
  const path = `/account/applications/${application.id}`;
  return {
    title: `Webhooks of ${application.name}`,
    description: 'Every event, and the outcome of each attempt.',
    section: 'applications',
    main: html`
${noticeBanner(flash)}
<div class="stack stack-tight">
<p><a class="link" href="${path}">← ${named(application.name)}</a></p>
<h1 class="title">Webhooks</h1>
<p class="lead">Every event, newest first. If one can’t be delivered, we retry for three days.</p>
</div>
${events.length === 0 ? html`<div class="card empty">${cursor === null ? 'No events yet.' : 'No more payments.'}</div>` : eventList(events, application, viewer)}
${pager(`${path}/webhooks`, {}, { cursor, next: nextCursor })}`,
  };
}
