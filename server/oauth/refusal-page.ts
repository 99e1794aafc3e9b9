/**
 * The page for a person when an application's request is too invalid to be answered by a redirect (RFC 6749, section
 * 4.1.2.1).
 */
import { html } from '../page/html.ts';
import type { Page } from '../page/layout.ts';

const REASONS = {
  'unknown-application': 'The link doesn’t name an application we know.',
  'no-redirect-uri': 'This application has no redirect URL yet, so nobody can connect to it.',
  'other-redirect-uri': 'The link would send you to a different address from the one this application has registered.',
} as const;

/** 403 of the authorize endpoint: a decision that does not belong to whoever is signed in now. */
export const staleFormPage: Page = {
  title: 'Please start again',
  description: 'That page has expired.',
  main: html`
<h1 class="title">Please start again</h1>
<p class="lead">That page has expired because you’ve signed out or signed in again since.</p>
<p>Nothing was shared. Go back to the application and start again.</p>`,
};

/** 400 of the authorize endpoint. */
export function refusalPage(reason: keyof typeof REASONS): Page {
  return {
    title: 'This link doesn’t work',
    description: 'An application sent you here with an invalid request.',
    main: html`
<h1 class="title">This link doesn’t work</h1>
<p class="lead">${REASONS[reason]}</p>
<p>Nothing was shared. Go back to the application and try again. If that doesn’t help, contact its developers.</p>
<details class="card"><summary>For developers</summary>
<p class="stack-tight"><span class="mono">client_id</span> must be the application’s OAuth identifier, and <span class="mono">redirect_uri</span> must match the registered redirect URL exactly. You’ll find both on the application’s page in your account.</p>
</details>`,
  };
}
