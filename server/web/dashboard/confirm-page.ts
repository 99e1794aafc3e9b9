/** Asks once more before something that cannot be undone. */
import type { Application } from '../../applications/store.ts';
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
    title: 'Create a new webhook secret?',
    consequences: [
      'Every event is signed with the new secret from then on, including those still being retried.',
      'Your server accepts them only once it has the new secret. Anything it rejects until then is retried.',
    ],
    button: 'Create a new webhook secret',
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

/** GET /account/applications/{id}/secret, …/webhook-secret, …/delete */
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
${formToken(viewer)}
<p class="cluster"><button class="button ${dangerous ? 'button-danger' : 'button-primary'}">${button}</button><a class="button button-quiet" href="${path}">Cancel</a></p>
</form>`,
  };
}
