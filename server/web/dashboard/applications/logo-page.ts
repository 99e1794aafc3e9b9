import { removeLogo, saveLogo } from '../../../applications/logo.ts';
import { findOwnApplication, type Application } from '../../../applications/store.ts';
import type { Page } from '../../../page/layout.ts';
import { problemOfUpload } from '../../../uploaded-picture.ts';
import type { AccountContext, AccountRouter, Visit } from '../account-router.ts';
import { logoOf, named } from '../parts.ts';
import { uploadPage } from '../upload-page.ts';

function logoPage(application: Application, visit: Visit, problem: string | null): Page {
  const path = `/account/applications/${application.id}`;
  return uploadPage(
    {
      texts: visit.words.texts.applications.logo,
      section: 'applications',
      field: 'logo',
      back: { path, text: named(application.name) },
      path: `${path}/logo`,
      shown: logoOf(application),
    },
    visit,
    problem,
  );
}

/** Serves GET and POST /account/applications/{id}/logo, POST …/logo/remove. */
export function logoPages({ get, post, upload }: AccountRouter, { db, now }: AccountContext): void {
  const ONE = '/account/applications/:id';
  const applicationOf = ({ viewer, request }: Visit): Promise<Application> =>
    findOwnApplication(db, viewer.user.id, String(request.params.id));

  get(`${ONE}/logo`, async (visit) => logoPage(await applicationOf(visit), visit, null));

  upload(`${ONE}/logo`, 'logo', async (bytes, visit) => {
    const application = await applicationOf(visit);
    const problem = problemOfUpload(bytes);
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
