/** The page for unknown paths. */
import { html } from '../page/html.ts';
import type { TranslatedPage } from '../page/layout.ts';

/** Renders the 404 page. */
export const notFoundPage: TranslatedPage = ({ notFound: t }) => ({
  title: t.title,
  description: t.description,
  main: html`
<h1 class="title">${t.title}</h1>
<p class="lead">${t.lead}</p>
<p><a class="button" href="/">${t.home}</a></p>`,
});
