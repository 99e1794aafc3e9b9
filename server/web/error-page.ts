/** Error pages for browsers. Other clients get JSON (http/errors.ts). */
import type { Request, Response } from 'express';
import type { Network } from '../../protocol/bitcoin/address.ts';
import type { ErrorCode } from '../../protocol/errors/service-error.ts';
import { html } from '../page/html.ts';
import { sendPage, type TranslatedPage } from '../page/layout.ts';
import { SITE_TEXTS, type SiteTexts } from '../page/texts.ts';

type Explained = Exclude<keyof SiteTexts['errors'], 'other' | 'toAccount'>;

/** True if an error code has its own explanation. All other codes are shown as internal errors. */
export const isExplained = (code: ErrorCode): code is Explained => Object.hasOwn(SITE_TEXTS.en.errors, code);

/** Returns an error page. @param home target of the page's link */
export function errorPage(code: ErrorCode, home: '/' | '/account'): TranslatedPage {
  return ({ errors, notFound }) => {
    const { title, text } = errors[isExplained(code) ? code : 'other'];
    return {
      title,
      description: text,
      main: html`
<h1 class="title">${title}</h1>
<p class="lead">${text}</p>
<p><a class="button" href="${home}">${home === '/' ? notFound.home : errors.toAccount}</a></p>`,
    };
  };
}

/** Paths called by programs, where errors are always JSON. */
const FOR_PROGRAMS = /^\/(?:api|devnet|bsvalias|\.well-known)(?:\/|$)|^\/oauth\/v1\/(?!authorize$)/i;

/** Creates a function that sends an error as a page, or returns false if no browser requested a page. */
export function showErrors(
  network: Network,
): (request: Request, response: Response, code: ErrorCode, status: number) => boolean {
  return (request, response, code, status) => {
    if (FOR_PROGRAMS.test(request.baseUrl + request.path) || request.accepts(['json', 'html']) !== 'html') return false;
    sendPage(response, errorPage(code, '/'), network, status);
    return true;
  };
}
