/** Confirmation pages for consequential or irreversible changes. */
import { MAX_SECRET_OVERLAP } from '../../../protocol/http/applications.ts';
import type { Application } from '../../applications/store.ts';
import type { Fields } from '../form.ts';
import { html } from '../../page/html.ts';
import type { Page } from '../../page/layout.ts';
import type { ApplicationTexts } from '../../page/texts.ts';
import type { Visit } from './account-router.ts';
import { backLink, formToken, named } from './parts.ts';

/** Confirmations, keyed by the last segment of the URL. `dangerous` marks an irreversible change. */
export const QUESTIONS = {
  secret: { dangerous: false },
  'webhook-secret': { dangerous: false },
  'webhook-secret-previous': { dangerous: false },
  delete: { dangerous: true },
} as const;

const HOUR = 3600;
/** Options for how long a replaced webhook secret keeps signing, in seconds. */
const OVERLAPS = [0, HOUR, 24 * HOUR, 3 * 24 * HOUR, MAX_SECRET_OVERLAP];
/** Default overlap: enough to deploy a server, but not so long that the old secret is forgotten. */
const USUAL_OVERLAP = 24 * HOUR;

/** Returns the selected overlap in seconds, or the default for an invalid selection. */
export function overlapOf({ keepOld }: Fields): number {
  return OVERLAPS.find((seconds) => String(seconds) === keepOld) ?? USUAL_OVERLAP;
}

function overlapText(seconds: number, t: ApplicationTexts['confirm']): string {
  if (seconds === 0) return t.immediately;
  return seconds <= 24 * HOUR ? t.hours({ count: seconds / HOUR }) : t.days({ count: seconds / (24 * HOUR) });
}

const overlapField = (t: ApplicationTexts['confirm']) => html`<div class="field">
<label class="label" for="keepOld">${t.keepOld}</label>
<select class="select" id="keepOld" name="keepOld">
${OVERLAPS.map((seconds) => html`<option value="${seconds}"${seconds === USUAL_OVERLAP && html` selected`}>${overlapText(seconds, t)}</option>\n`)}</select>
</div>`;

/** Renders GET /account/applications/{id}/secret, …/webhook-secret, …/webhook-secret-previous, …/delete. */
export function confirmPage(application: Application, what: keyof typeof QUESTIONS, { viewer, words }: Visit): Page {
  const t = words.texts.applications.confirm;
  const { title, consequences, button } = t.questions[what];
  const { dangerous } = QUESTIONS[what];
  const path = `/account/applications/${application.id}`;
  return {
    title,
    description: t.description,
    section: 'applications',
    main: html`
<div class="stack stack-tight">
<p>${backLink(path, named(application.name), words)}</p>
<h1 class="title">${title}</h1>
<p class="lead anywhere">${named(application.name)}</p>
</div>
<form class="card stack" method="post" action="${path}/${what}">
<ul class="stack stack-tight bulleted">${consequences.map((consequence) => html`<li>${consequence}</li>\n`)}</ul>
${what === 'webhook-secret' && overlapField(t)}
${formToken(viewer)}
<p class="cluster"><button class="button ${dangerous ? 'button-danger' : 'button-primary'}" type="submit">${button}</button><a class="button button-quiet" href="${path}">${words.texts.account.form.cancel}</a></p>
</form>`,
  };
}
