/** What is shown where there is nothing. */
import { html } from '../page/html.ts';
import type { Page } from '../page/layout.ts';

/** 404 */
export const notFoundPage: Page = {
  title: 'Page not found',
  description: 'This page does not exist.',
  main: html`
<h1 class="title">Page not found</h1>
<p class="lead">Check the address. The page may have been moved or deleted.</p>
<p><a class="button" href="/">Home</a></p>`,
};
