/** The page for uploading a picture: an application's logo or the user's own picture. */
import { MAX_PICTURE_BYTES, MAX_SIDE_PIXELS } from '../../../protocol/http/picture.ts';
import { html, type Html } from '../../page/html.ts';
import type { Page } from '../../page/layout.ts';
import { UPLOADED_TYPES } from '../../uploaded-picture.ts';
import type { Visit } from './account-router.ts';
import { backLink, formToken, problemBanner, translated } from './parts.ts';

export interface Upload {
  section: NonNullable<Page['section']>;
  texts: Readonly<Record<'title' | 'description' | 'lead' | 'save' | 'remove', string>>;
  field: string;
  back: { path: string; text: Html | string };
  /** The form's action. To remove the picture, the form posts to `{path}/remove`. */
  path: string;
  /** The current picture; null if there is none to remove. */
  shown: Html | null;
}

/** Renders the page. @param problem what is wrong with the uploaded file; null before an upload */
export function uploadPage(upload: Upload, { viewer, words }: Visit, problem: string | null): Page {
  const { texts: t, section, field, back, path, shown } = upload;
  const { form, problems, upload: u } = words.texts.account;
  const described = [`${field}-hint`, problem !== null && `${field}-problem`].filter(Boolean).join(' ');
  return {
    title: problem === null ? t.title : form.notSaved({ title: t.title }),
    description: t.description,
    section,
    main: html`
<div class="stack stack-tight">
<p>${backLink(back.path, back.text, words)}</p>
<h1 class="title">${t.title}</h1>
<p class="lead">${t.lead}</p>
</div>
<div class="card stack">
${shown}
<form class="stack" method="post" action="${path}" enctype="multipart/form-data">
${problemBanner(problem === null ? null : { [field]: problem }, words, { [field]: u.picture })}
${formToken(viewer)}
<div class="field">
<label class="label" for="${field}">${u.picture}</label>
<input class="input" type="file" id="${field}" name="${field}" accept="${UPLOADED_TYPES.join(',')}" required aria-describedby="${described}"${problem !== null && html` aria-invalid="true"`}>
<p class="hint" id="${field}-hint">${u.hint({ kilobytes: MAX_PICTURE_BYTES / 1000, pixels: MAX_SIDE_PIXELS })}</p>
${problem !== null && html`<p class="field-error" id="${field}-problem">${translated(problem, problems)}</p>`}
</div>
<p class="cluster"><button class="button button-primary" type="submit">${t.save}</button><a class="button button-quiet" href="${back.path}">${form.cancel}</a></p>
</form>
${shown !== null && html`<form method="post" action="${path}/remove">${formToken(viewer)}<button class="button button-quiet" type="submit">${t.remove}</button></form>`}
</div>`,
  };
}
