/**
 * The page for a person when an application's request is too invalid to be answered by a redirect (RFC 6749, section
 * 4.1.2.1).
 */
import { html } from '../page/html.ts';
import type { Page } from '../page/layout.ts';

const REASONS = {
  'unknown-application': 'The link names no application that is known here.',
  'no-redirect-uri':
    'This application has not said where people are to be sent back to, so nobody can be connected to it yet.',
  'other-redirect-uri': 'The link would send you to another address than the one that this application has registered.',
} as const;

/** 403 of the authorize endpoint: a decision that does not belong to whoever is signed in now. */
export const staleFormPage: Page = {
  title: 'Please decide again',
  description: 'The page that you decided on is no longer good.',
  main: html`
<h1 class="title">Please decide again</h1>
<p class="lead">The page that you decided on is no longer good: you have signed out since, or signed in anew.</p>
<p>Nothing was shared. Go back to the application and start once more.</p>`,
};

/** 400 of the authorize endpoint. */
export function refusalPage(reason: keyof typeof REASONS): Page {
  return {
    title: 'This link does not work',
    description: 'An application sent you here in a way that cannot be answered.',
    main: html`
<h1 class="title">This link does not work</h1>
<p class="lead">${REASONS[reason]}</p>
<p>You shared nothing, and you were not sent anywhere. Go back to the application and try again. If that does not help, tell its makers.</p>
<details class="card"><summary>For the makers of the application</summary>
<p class="stack-tight"><span class="mono">client_id</span> must be the application’s OAuth identifier, and <span class="mono">redirect_uri</span> must equal the registered redirect address to the letter. Both stand on the application’s page in your account.</p>
</details>`,
  };
}
