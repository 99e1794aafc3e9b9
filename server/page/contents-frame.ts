/** Layout with a search field and a table of contents at the side, for the documentation and the API reference. */
import type { Value } from '../../protocol/catalog.ts';
import { html, type Html, type Insertable } from './html.ts';
import type { PageText } from './page-text.ts';
import { MAX_QUERY, type SearchResult } from './search.ts';

export interface ContentsTexts {
  contents: string;
  contentsLabel: string;
  search: string;
  searchLabel: string;
  found: PageText<{ count: Value }>;
  noneFound: string;
}

export const CONTENTS_FILES = {
  styles: ['/assets/reference.css'],
  scripts: ['/assets/copy-code.js', '/assets/reference.js'],
};

/** Renders the layout. @param search the search page's path, which takes `q` @param contents the table of contents */
export function contentsFrame(
  { search, query, contents }: { search: string; query: string; contents: Insertable },
  body: Insertable,
  t: ContentsTexts,
): Html {
  return html`
<div class="reference">
<nav class="contents" aria-label="${t.contentsLabel}">
<form class="field reference-search" action="${search}" method="get" role="search"><label class="label visually-hidden" for="search">${t.searchLabel}</label><input class="input" id="search" name="q" type="search" value="${query}" placeholder="${t.search}" maxlength="${MAX_QUERY}" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"><button class="button button-small" type="submit">${t.search}</button></form>
<details class="contents-fold" open><summary class="reference-label">${t.contents}</summary>
<ul class="contents-list">
${contents}</ul></details>
</nav>
<div class="reference-body stack stack-loose">
${body}
</div>
</div>`;
}

/** Renders search results. @param inEnglish language attributes for English text on a translated page */
export function searchResults(found: readonly SearchResult[], t: ContentsTexts, inEnglish: Html): Html {
  if (found.length === 0) return html`<p class="empty" id="none-found" role="status">${t.noneFound}</p>`;
  const rows = found.map(
    ({ url, title, excerpt }) =>
      html`<li><a class="list-row" href="${url}"><span class="list-main"><span class="list-title anywhere"${inEnglish}>${title}</span><span class="list-note anywhere"${inEnglish}>${excerpt}</span></span></a></li>\n`,
  );
  return html`<p class="muted" id="found" role="status">${t.found({ count: found.length })}</p>
<ul class="card card-flush list" id="results">${rows}</ul>`;
}
