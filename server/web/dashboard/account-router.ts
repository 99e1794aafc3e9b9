/** What all pages of an account have in common: who may see them, and whose forms are taken. */
import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { Network } from '../../../protocol/address.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import { statusOf } from '../../http/errors.ts';
import { fromOwnPages } from '../../identity/session.ts';
import { FORM_TOKEN, fieldsOf, fileBody, filesOf, formBody, type Fields } from '../form.ts';
import { sendPage, type Page } from '../../page/layout.ts';
import { wordsFor, type Words } from '../../page/words.ts';
import { errorPage, isExplained } from '../error-page.ts';
import { readViewer, type ViewerContext } from '../viewer.ts';
import type { Viewer } from '../../page/layout.ts';
import { setFlash, takeFlash, type Flash } from './flash.ts';

/** What the pages of an account work with. */
export interface AccountContext extends ViewerContext {
  network: Network;
}

/** A request of somebody who is signed in. */
export interface Visit {
  viewer: Viewer;
  request: Request;
  /** What is shown once; null most of the time. */
  flash: Flash | null;
  /** What its page is written with. */
  words: Words;
}

/**
 * What a form leads to: another page (303, so that a reload sends nothing again), or the form once more with what is
 * wrong.
 */
export type Outcome = { to: string; flash?: Flash } | { again: Page };

/** Pages of an account. */
export interface AccountRouter {
  router: Router;
  get(path: string, show: (visit: Visit) => Promise<Page> | Page): void;
  /** Something other than a page, which `send` sends. */
  download(path: string, send: (visit: Visit, response: Response) => Promise<void>): void;
  post(path: string, act: (fields: Fields, visit: Visit) => Promise<Outcome>): void;
  /** A form with a file, which is empty where none was chosen. */
  upload(path: string, file: string, act: (bytes: Uint8Array, visit: Visit) => Promise<Outcome>): void;
}

/** Every page of an account has buttons that copy, and times of the viewer's own zone. */
const withScript = (page: Page, { texts }: Words): Page => ({
  ...page,
  scripts: [...(page.scripts ?? []), '/assets/account.js'],
  scriptTexts: { ...texts.frame.copying, ...texts.account.script },
});

/**
 * Makes a router whose pages are shown only to who is signed in; everybody else is led to sign in, and back. A form is
 * taken from this service's own pages alone, with the form token of the very session that sends it: else 403, and
 * nothing is done.
 */
export function accountRouter(context: AccountContext): AccountRouter {
  const { addresses, network } = context;
  const router = Router();

  /** True where the request goes on. */
  async function isSignedIn(request: Request, response: Response): Promise<boolean> {
    // Forms then name their origin, which they would not under no-referrer (Fetch standard, section 3.2); other sites
    // learn nothing.
    response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' });
    if (await readViewer(context, request, response)) return true;
    // What a form posts to is not always a page: then back to the part of the account that it belongs to.
    const back = request.method === 'POST' ? request.path.split('/').slice(0, 3).join('/') : request.originalUrl;
    response.redirect(303, `/sign-in?return=${encodeURIComponent(back)}`);
    return false;
  }

  /** Takes a form that somebody sent who is signed in, and does what `read` makes of it. */
  function onForm(
    path: string,
    body: RequestHandler,
    read: (request: Request) => Promise<{ fields: Fields; act: (visit: Visit) => Promise<Outcome> }>,
  ): void {
    router.post(
      path,
      fromOwnPages(addresses.baseUrl),
      body,
      async (request: Request, response: Response) => {
        if (!(await isSignedIn(request, response))) return;
        const viewer = response.locals.viewer as Viewer;
        const { fields, act } = await read(request);
        if (fields[FORM_TOKEN] !== viewer.formToken) throw new ServiceError('forbidden');
        const words = wordsFor(request);
        const outcome = await act({ viewer, request, flash: null, words });
        if ('again' in outcome) return sendPage(response, withScript(outcome.again, words), network, 400);
        if (outcome.flash) setFlash(response, addresses.secure, outcome.flash);
        response.redirect(303, outcome.to);
      },
      showRefusal(network),
    );
  }

  return {
    router,
    get(path, show) {
      router.get(
        path,
        async (request: Request, response: Response) => {
          if (!(await isSignedIn(request, response))) return;
          const flash = takeFlash(request, response, addresses.secure);
          const words = wordsFor(request);
          const page = await show({ viewer: response.locals.viewer as Viewer, request, flash, words });
          sendPage(response, withScript(page, words), network);
        },
        showRefusal(network),
      );
    },
    download(path, send) {
      router.get(
        path,
        async (request: Request, response: Response) => {
          if (!(await isSignedIn(request, response))) return;
          await send(
            { viewer: response.locals.viewer as Viewer, request, flash: null, words: wordsFor(request) },
            response,
          );
        },
        showRefusal(network),
      );
    },
    post(path, act) {
      onForm(path, formBody, async (request) => {
        const fields = fieldsOf(request.body);
        return { fields, act: (visit) => act(fields, visit) };
      });
    },
    upload(path, file, act) {
      onForm(path, fileBody, async (request) => {
        const { fields, files } = await filesOf(request.body, request.headers['content-type'] ?? '');
        return { fields, act: (visit) => act(files[file] ?? new Uint8Array(), visit) };
      });
    },
  };
}

/** Shows rejections to people as a page. Other errors are passed on to the service's own handler. */
function showRefusal(network: Network): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (!(error instanceof ServiceError) || !isExplained(error.code)) return next(error);
    sendPage(response, errorPage(error.code, '/account'), network, statusOf(error.code));
  };
}
