/** Asks once more before something that cannot be undone. */
import type { Application } from '../../applications/store.ts';
import { html } from '../../page/html.ts';
import type { Page } from '../../page/layout.ts';
import type { Visit } from './account-router.ts';
import { formToken, named } from './parts.ts';

/** The question, by the last part of the URL. */
export const QUESTIONS = {
  secret: {
    title: 'Make a new client secret?',
    consequences: [
      'The old secret is worth nothing from that moment on, and tokens that your server got with it end.',
      'Your server needs the new one before it can sign in again.',
      'What people allowed your application stays.',
    ],
    button: 'Make a new client secret',
    dangerous: false,
  },
  'webhook-secret': {
    title: 'Make a new webhook secret?',
    consequences: [
      'Every event is signed with the new secret from that moment on, those too that are still to be sent again.',
      'Your server takes them only once it knows the new one. What it refuses until then is sent again later.',
    ],
    button: 'Make a new webhook secret',
    dangerous: false,
  },
  delete: {
    title: 'Delete this application?',
    consequences: [
      'People who signed in with it lose that connection, and its tokens end at once.',
      'You no longer see the payments made through it. They themselves stay with who made them.',
      'Webhooks that have not arrived yet are not sent any more, and their log is gone.',
      'Its identifiers never come back: buttons that name them count for nobody.',
    ],
    button: 'Delete it for good',
    dangerous: true,
  },
} as const;

/** GET /account/applications/{id}/secret, …/webhook-secret, …/delete */
export function confirmPage(application: Application, what: keyof typeof QUESTIONS, { viewer }: Visit): Page {
  const { title, consequences, button, dangerous } = QUESTIONS[what];
  const path = `/account/applications/${application.id}`;
  return {
    title,
    description: 'A question before something that cannot be undone.',
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
