/** Access control and form handling, shared by all account pages. */
import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { statusOf } from '../../http/errors.ts';
import { fromOwnPages } from '../../identity/session.ts';
import { FORM_TOKEN, fieldsOf, fileBody, filesOf, formBody, type Fields } from '../form.ts';
import { sendPage, type Page } from '../../page/layout.ts';
import { wordsFor, type Words } from '../../page/page-locale.ts';
import { errorPage, isExplained } from '../error-page.ts';
import { readViewer, type ViewerContext } from '../viewer.ts';
import type { Viewer } from '../../page/layout.ts';
import { setFlash, consumeFlash, type Flash } from './flash.ts';

export interface AccountContext extends ViewerContext {
  network: Network;
}

/** A request from a signed-in user. */
export interface Visit {
  viewer: Viewer;
  request: Request;
  /** A one-time message, or null. */
  flash: Flash | null;
  words: Words;
}

/** A form's outcome: a redirect (303, so a reload doesn't resubmit), or the form with its errors. */
export type Outcome = { to: string; flash?: Flash } | { again: Page };

export interface AccountRouter {
  router: Router;
  get(path: string, show: (visit: Visit) => Promise<Page> | Page): void;
  download(path: string, send: (visit: Visit, response: Response) => Promise<void>): void;
  post(path: string, act: (fields: Fields, visit: Visit) => Promise<Outcome>): void;
  /** Registers a form with a file upload. `bytes` is empty if no file was selected. */
  upload(path: string, file: string, act: (bytes: Uint8Array, visit: Visit) => Promise<Outcome>): void;
}

/** Adds the script for copy buttons and local times, which every account page needs. */
const withScript = (page: Page, { texts }: Words): Page => ({
  ...page,
  scripts: [...(page.scripts ?? []), '/assets/account.js'],
  scriptTexts: { ...texts.frame.copying, ...texts.account.script },
});

/**
 * Creates a router whose pages require a session. Visitors without a session are redirected to the sign-in page, and
 * back once they are signed in. Form submissions must come from this service's own pages and contain the session's form
 * token; other submissions get 403.
 */
export function accountRouter(context: AccountContext): AccountRouter {
  const { addresses, network } = context;
  const router = Router();

  /** True if the user is signed in. Redirects other visitors to the sign-in page. */
  async function isSignedIn(request: Request, response: Response): Promise<boolean> {
    // With this policy, unlike with `no-referrer`, forms send their origin (Fetch standard, section 3.2). Other sites
    // get no referrer.
    response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' });
    if (await readViewer(context, request, response)) return true;
    // A form's URL isn't always a page, so the user returns to the account section that contains the form.
    const back = request.method === 'POST' ? request.path.split('/').slice(0, 3).join('/') : request.originalUrl;
    response.redirect(303, `/sign-in?return=${encodeURIComponent(back)}`);
    return false;
  }

  /** Registers a form handler for signed-in users. `read` returns the fields and the action to run. */
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
          const flash = consumeFlash(request, response, addresses.secure);
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

/** Shows rejections as pages, and passes other errors on to the service's error handler. */
function showRefusal(network: Network): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (!(error instanceof ServiceError) || !isExplained(error.code)) return next(error);
    sendPage(response, errorPage(error.code, '/account'), network, statusOf(error.code));
  };
}
