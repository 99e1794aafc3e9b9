/** The logo of one's own application: uploaded, shown, removed. */
import { LARGEST_LOGO, logoPath, problemOfLogo, removeLogo, saveLogo } from '../../applications/logo.ts';
import { findOwnApplication, type Application } from '../../applications/store.ts';
import { html, type Html } from '../../page/html.ts';
import type { Page } from '../../page/layout.ts';
import type { AccountContext, AccountRouter, Visit } from './account-router.ts';
import { formToken, logoOf, named, problemBanner } from './parts.ts';

function logoPage(application: Application, { viewer }: Visit, problem: string | null): Page {
  const path = `/account/applications/${application.id}`;
  const described = ['logo-hint', problem !== null && 'logo-problem'].filter(Boolean).join(' ');
  const remove: Html | false =
    logoPath(application) !== null &&
    html`<form method="post" action="${path}/logo/remove">${formToken(viewer)}<button class="button button-quiet">Remove logo</button></form>`;
  return {
    title: problem === null ? 'Logo' : 'Not saved: logo',
    description: 'The logo of one of your applications.',
    section: 'applications',
    main: html`
<div class="stack stack-tight">
<p><a class="link" href="${path}">← ${named(application.name)}</a></p>
<h1 class="title">Logo</h1>
<p class="lead">People see it beside your application’s name and site when it asks for access, and under “Connected apps”.</p>
</div>
<div class="card stack">
${logoOf(application)}
<form class="stack" method="post" action="${path}/logo" enctype="multipart/form-data">
${problemBanner(problem === null ? null : { logo: problem }, { logo: 'Picture' })}
${formToken(viewer)}
<div class="field">
<label class="label" for="logo">Picture</label>
<input class="input" type="file" id="logo" name="logo" accept="image/png,image/jpeg" required aria-describedby="${described}"${problem !== null && html` aria-invalid="true"`}>
<p class="hint" id="logo-hint">PNG or JPEG, square, at most ${LARGEST_LOGO / 1000} kB and 1024 pixels on a side.</p>
${problem !== null && html`<p class="field-error" id="logo-problem">${problem}</p>`}
</div>
<p class="cluster"><button class="button button-primary">Save logo</button><a class="button button-quiet" href="${path}">Cancel</a></p>
</form>
${remove}
</div>`,
  };
}

/** GET and POST /account/applications/{id}/logo, POST …/logo/remove */
export function logoPages({ get, post, upload }: AccountRouter, { db, now }: AccountContext): void {
  const ONE = '/account/applications/:id';
  const applicationOf = ({ viewer, request }: Visit): Promise<Application> =>
    findOwnApplication(db, viewer.user.id, String(request.params.id));

  get(`${ONE}/logo`, async (visit) => logoPage(await applicationOf(visit), visit, null));

  upload(`${ONE}/logo`, 'logo', async (bytes, visit) => {
    const application = await applicationOf(visit);
    const problem = problemOfLogo(bytes);
    if (problem !== null) return { again: logoPage(application, visit, problem) };
    await saveLogo(db, visit.viewer.user.id, application.id, bytes, now());
    return { to: `/account/applications/${application.id}`, flash: { notice: 'logo-saved' } };
  });

  post(`${ONE}/logo/remove`, async (_fields, visit) => {
    const { id } = await applicationOf(visit);
    await removeLogo(db, visit.viewer.user.id, id, now());
    return { to: `/account/applications/${id}`, flash: { notice: 'logo-removed' } };
  });
}
