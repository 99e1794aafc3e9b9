/** Asks once more before something that cannot be undone. */
import { MAX_SECRET_OVERLAP } from '../../../protocol/applications.ts';
import type { Application } from '../../applications/store.ts';
import type { Fields } from '../form.ts';
import { html } from '../../page/html.ts';
import type { Page } from '../../page/layout.ts';
import type { Visit } from './account-router.ts';
import { formToken, named } from './parts.ts';

/** The question, by the last part of the URL. */
export const QUESTIONS = {
  secret: {
    title: 'Create a new client secret?',
    consequences: [
      'The old secret stops working right away, and so do tokens your server got with it.',
      'Your server needs the new one before it can sign in again.',
      'The access people gave your application stays.',
    ],
    button: 'Create a new client secret',
    dangerous: false,
  },
  'webhook-secret': {
    title: 'Rotate the webhook secret?',
    consequences: [
      'Every event is signed with the new secret from then on, including those still being retried.',
      'Until the old secret expires, events are signed with both, so your server can switch without missing one.',
      'If the old secret may have leaked, expire it immediately. Anything your server rejects until it has the new secret is retried.',
    ],
    button: 'Rotate the secret',
    dangerous: false,
  },
  'webhook-secret-previous': {
    title: 'Expire the old webhook secret?',
    consequences: [
      'Events are signed only with the new secret from then on.',
      'A server that still verifies with the old secret rejects them. Anything it rejects is retried.',
    ],
    button: 'Expire it now',
    dangerous: false,
  },
  delete: {
    title: 'Delete this application?',
    consequences: [
      'People who signed in with it are disconnected, and its tokens stop working right away.',
      'You’ll no longer see the payments made through it. The people who made them still will.',
      'Undelivered webhooks won’t be sent, and the log is deleted.',
      'Its identifiers can’t be reused: payments from buttons that use them won’t be attributed to anyone.',
    ],
    button: 'Delete permanently',
    dangerous: true,
  },
} as const;

const HOUR = 3600;
/** For how long a replaced webhook secret goes on signing: what the form offers, in seconds. */
const OVERLAPS = [
  { seconds: 0, name: 'Expire immediately' },
  { seconds: HOUR, name: '1 hour' },
  { seconds: 24 * HOUR, name: '24 hours' },
  { seconds: 3 * 24 * HOUR, name: '3 days' },
  { seconds: MAX_SECRET_OVERLAP, name: '7 days' },
] as const;
/** Long enough to deploy a server, short enough for a secret to be forgotten. */
const USUAL_OVERLAP = 24 * HOUR;

/** The seconds that the form named; the usual ones where it named none that it offers. */
export function overlapOf({ keepOld }: Fields): number {
  return OVERLAPS.find(({ seconds }) => String(seconds) === keepOld)?.seconds ?? USUAL_OVERLAP;
}

const overlapField = html`<div class="field">
<label class="label" for="keepOld">Keep the old secret valid for</label>
<select class="select" id="keepOld" name="keepOld">
${OVERLAPS.map(({ seconds, name }) => html`<option value="${seconds}"${seconds === USUAL_OVERLAP && html` selected`}>${name}</option>\n`)}</select>
</div>`;

/** GET /account/applications/{id}/secret, …/webhook-secret, …/webhook-secret-previous, …/delete */
export function confirmPage(application: Application, what: keyof typeof QUESTIONS, { viewer }: Visit): Page {
  const { title, consequences, button, dangerous } = QUESTIONS[what];
  const path = `/account/applications/${application.id}`;
  return {
    title,
    description: 'Confirm something that can’t be undone.',
    section: 'applications',
    main: html`
<div class="stack stack-tight">
<p><a class="link" href="${path}">← ${named(application.name)}</a></p>
<h1 class="title">${title}</h1>
<p class="lead anywhere">${named(application.name)}</p>
</div>
<form class="card stack" method="post" action="${path}/${what}">
<ul class="stack stack-tight bulleted">${consequences.map((consequence) => html`<li>${consequence}</li>\n`)}</ul>
${what === 'webhook-secret' && overlapField}
${formToken(viewer)}
<p class="cluster"><button class="button ${dangerous ? 'button-danger' : 'button-primary'}">${button}</button><a class="button button-quiet" href="${path}">Cancel</a></p>
</form>`,
  };
}
