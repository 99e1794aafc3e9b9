/** The documentation's pages: the overview, one page per document, and search. */
import { CONTENTS_FILES, contentsFrame, searchResults } from '../../page/contents-frame.ts';
import { builtHtml, html, IN_ENGLISH, type Html } from '../../page/html.ts';
import type { TranslatedPage } from '../../page/layout.ts';
import { MAX_QUERY, searchIn, textOf, type SearchEntry } from '../../page/search.ts';
import type { SiteTexts } from '../../page/texts.ts';
import type { Docs, DocsPage } from './docs-build.ts';

const ROOT = '/docs';
/** Title of the section after which the contents link to the API reference, which is generated from the routes. */
const REFERENCE_SECTION = 'Reference';

type DocsTexts = Omit<SiteTexts['reference'], keyof SiteTexts['docs']> & SiteTexts['docs'];

/** The pages by slug (empty for the overview), and the search results page. */
export interface DocsPages {
  pages: ReadonlyMap<string, TranslatedPage>;
  search(query: string): TranslatedPage;
}

const pathOf = ({ slug }: DocsPage) => `${ROOT}/${slug}`;

export function docsPages({ lead, sections }: Docs): DocsPages {
  const contents = (current: DocsPage | null): Html[] =>
    sections.map(
      ({ title, pages }) => html`<li${IN_ENGLISH}><span class="contents-part">${title}</span>
<ul>${pages.map((page) => contentsItem(page, page === current))}${title === REFERENCE_SECTION && html`<li><a class="contents-entry contents-page" href="/api/reference">HTTP API</a></li>`}</ul></li>
`,
    );

  const framed = (
    title: (t: DocsTexts) => Html | string,
    body: (t: DocsTexts) => Html,
    { current = null, query = '' }: { current?: DocsPage | null; query?: string } = {},
  ): TranslatedPage => {
    return ({ docs, reference, frame }) => {
      const t = { ...reference, ...docs };
      const heading = title(t);
      const plain = textOf(heading);
      return {
        title: plain === docs.title ? plain : `${plain} · ${docs.title}`,
        description: docs.description,
        ...CONTENTS_FILES,
        scriptTexts: frame.copying,
        full: true,
        main: contentsFrame(
          { search: `${ROOT}/search`, query, contents: contents(current) },
          html`<div class="stack stack-tight">
<h1 class="title"${current && IN_ENGLISH}>${heading}</h1>
${docs.inEnglish !== '' && html`<p class="muted">${docs.inEnglish}</p>`}
</div>
${body(t)}`,
          t,
        ),
      };
    };
  };

  const overview = framed(
    (t) => t.title,
    () => html`<div class="prose"${IN_ENGLISH}>${builtHtml(lead)}</div>
${sections.map(
  ({ title, lead: about, pages }) => html`<section class="stack stack-tight"${IN_ENGLISH}>
<h2 class="heading">${title}</h2>
<p class="muted">${about}</p>
<ul class="calls">${pages.map((page) => html`<li><a class="link" href="${pathOf(page)}">${page.name}</a> <span class="muted">${builtHtml(page.answers)}</span></li>\n`)}${title === REFERENCE_SECTION && html`<li><a class="link" href="/api/reference">HTTP API</a></li>`}</ul>
</section>
`,
)}`,
  );
  const all = sections.flatMap(({ pages }) => pages);
  const entries = all.flatMap(entriesOf);
  return {
    pages: new Map([
      ['', overview],
      ...all.map(
        (page) =>
          [
            page.slug,
            framed(
              () => builtHtml(page.title),
              () => html`<article class="prose"${IN_ENGLISH}>${builtHtml(page.html)}</article>`,
              { current: page },
            ),
          ] as const,
      ),
    ]),
    search: (query) => {
      const found = searchIn(entries, query);
      return framed(
        (t) => t.search,
        (t) => searchResults(found, t, IN_ENGLISH),
        { query: query.slice(0, MAX_QUERY) },
      );
    },
  };
}

function contentsItem(page: DocsPage, isCurrent: boolean): Html {
  const headings = page.headings.map(
    ({ id, text }) => html`<li><a class="contents-entry" href="#${id}">${builtHtml(text)}</a></li>\n`,
  );
  return html`<li><a class="contents-entry contents-page" href="${pathOf(page)}"${isCurrent && html` aria-current="page"`}>${page.name}</a>
${isCurrent && headings.length > 0 && html`<ul class="contents-headings">${headings}</ul>`}</li>
`;
}

/** Tags within a sentence, which {@link textOf} would replace with spaces. */
const INLINE_TAGS = /<\/?(?:a|code|strong|em|del)\b[^>]*>/g;

/** Returns a page's search entries: its beginning, and each heading with the text below it. */
function entriesOf(page: DocsPage): SearchEntry[] {
  const parts = page.html.split(/(?=<h[23] class="(?:sub)?heading" id=")/);
  const { name } = page;
  return parts.map((part) => {
    const id = /^<h[23] class="(?:sub)?heading" id="([^"]*)"/.exec(part)?.[1];
    const heading = /^<h[23][^>]*>([^]*?)<\/h[23]>/.exec(part)?.[1];
    return {
      url: id === undefined ? pathOf(page) : `${pathOf(page)}#${id}`,
      title: heading === undefined ? name : `${name} · ${textOf(heading.replaceAll(INLINE_TAGS, ''))}`,
      text: textOf(part.replaceAll(INLINE_TAGS, '')),
    };
  });
}
