/** What is shown where there is nothing. */
import { html } from '../page/html.ts';
import type { Page } from '../page/layout.ts';

/** 404 */
export const notFoundPage: Page = {
  title: 'Nothing here',
  description: 'This page does not exist.',
  main: html`
<h1 class="title">There is nothing here</h1>
<p class="lead">The address may be mistyped, or the page is gone.</p>
<p><a class="button" href="/">Go to the first page</a></p>`,
};
