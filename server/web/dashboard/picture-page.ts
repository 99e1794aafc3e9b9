import type { User } from '../../identity/accounts.ts';
import { picturePath, removePicture, savePicture } from '../../identity/picture.ts';
import { html, type Html } from '../../page/html.ts';
import type { Page } from '../../page/layout.ts';
import type { Words } from '../../page/page-locale.ts';
import { problemOfUpload } from '../../uploaded-picture.ts';
import type { AccountContext, AccountRouter, Visit } from './account-router.ts';
import { uploadPage } from './upload-page.ts';

/** Renders a user's picture, or null. For a picture on another host, shows only the URL without loading it. */
export function pictureOf(user: User, { texts }: Words): Html | null {
  const { alt, elsewhere } = texts.account.picture;
  const path = picturePath(user);
  if (path !== null) return html`<img class="own-picture" src="${path}" alt="${alt}" width="64" height="64">`;
  return user.avatarUrl === null ? null : html`<p class="anywhere">${elsewhere({ address: user.avatarUrl })}</p>`;
}

function picturePage(visit: Visit, problem: string | null): Page {
  const { picture, overview } = visit.words.texts.account;
  return uploadPage(
    {
      texts: picture,
      section: 'overview',
      field: 'picture',
      back: { path: '/account', text: overview.title },
      path: '/account/picture',
      shown: pictureOf(visit.viewer.user, visit.words),
    },
    visit,
    problem,
  );
}

/** Serves GET and POST /account/picture, POST …/remove. */
export function picturePages({ get, post, upload }: AccountRouter, { db }: AccountContext): void {
  get('/account/picture', (visit) => picturePage(visit, null));

  upload('/account/picture', 'picture', async (bytes, visit) => {
    const problem = problemOfUpload(bytes);
    if (problem !== null) return { again: picturePage(visit, problem) };
    await savePicture(db, visit.viewer.user.id, bytes);
    return { to: '/account', flash: { notice: 'picture-saved' } };
  });

  post('/account/picture/remove', async (_fields, { viewer }) => {
    await removePicture(db, viewer.user.id);
    return { to: '/account', flash: { notice: 'picture-removed' } };
  });
}
