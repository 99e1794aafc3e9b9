/** The page on which one uploads a picture: an application's logo, or one's own. */
import { LARGEST_PICTURE, LARGEST_SIDE } from '../../../protocol/picture.ts';
import { html, type Html } from '../../page/html.ts';
import type { Page } from '../../page/layout.ts';
import { UPLOADED_TYPES } from '../../uploaded-picture.ts';
import type { Visit } from './account-router.ts';
import { formToken, problemBanner } from './parts.ts';

/** What is uploaded, and where. */
export interface Upload extends Pick<Page, 'section' | 'description'> {
  title: 'Logo' | 'Picture';
  /** The form's name of the file. */
  field: string;
  lead: string;
  back: { path: string; text: Html | string };
  /** What the form is posted to; to remove it, `{path}/remove`. */
  path: string;
  /** What there is now; null where nothing can be removed. */
  shown: Html | null;
}

/** The page. @param problem of what was sent; null at first */
export function uploadPage(upload: Upload, { viewer }: Visit, problem: string | null): Page {
  const { title, field, lead, back, path, shown, ...rest } = upload;
  const thing = title.toLowerCase();
  const described = [`${field}-hint`, problem !== null && `${field}-problem`].filter(Boolean).join(' ');
  return {
    ...rest,
    title: problem === null ? title : `Not saved: ${thing}`,
    main: html`
<div class="stack stack-tight">
<p><a class="link" href="${back.path}">← ${back.text}</a></p>
<h1 class="title">${title}</h1>
<p class="lead">${lead}</p>
</div>
<div class="card stack">
${shown}
<form class="stack" method="post" action="${path}" enctype="multipart/form-data">
${problemBanner(problem === null ? null : { [field]: problem }, { [field]: 'Picture' })}
${formToken(viewer)}
<div class="field">
<label class="label" for="${field}">Picture</label>
<input class="input" type="file" id="${field}" name="${field}" accept="${UPLOADED_TYPES.join(',')}" required aria-describedby="${described}"${problem !== null && html` aria-invalid="true"`}>
<p class="hint" id="${field}-hint">PNG or JPEG, square, at most ${LARGEST_PICTURE / 1000} kB and ${LARGEST_SIDE} pixels on a side.</p>
${problem !== null && html`<p class="field-error" id="${field}-problem">${problem}</p>`}
</div>
<p class="cluster"><button class="button button-primary">Save ${thing}</button><a class="button button-quiet" href="${back.path}">Cancel</a></p>
</form>
${shown !== null && html`<form method="post" action="${path}/remove">${formToken(viewer)}<button class="button button-quiet">Remove ${thing}</button></form>`}
</div>`,
  };
}
