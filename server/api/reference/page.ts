/** The human-readable HTTP API reference, generated from the same routes and schemas as the OpenAPI document. */
import { WEBHOOK_EVENTS } from '../../../protocol/http/webhooks.ts';
import { CONTENTS_FILES, contentsFrame, searchResults } from '../../page/contents-frame.ts';
import { html, IN_ENGLISH, type Html } from '../../page/html.ts';
import type { Page, TranslatedPage } from '../../page/layout.ts';
import { MAX_QUERY, searchIn, textOf, type SearchEntry } from '../../page/search.ts';
import type { SiteTexts } from '../../page/texts.ts';
import { TAGS, type Route } from '../../routing/route.ts';
import type { ReferenceWords } from './fields.ts';
import { operation } from './operation.ts';
import { resourcesOf, type Resource } from './resources.ts';
import { BASICS, basics, errors, eventId, webhooks } from './sections.ts';

const ROOT = '/api/reference';
type ReferenceTexts = SiteTexts['reference'];

/** The pages, keyed by their path under {@link ROOT}, and the search results page. */
export interface Reference {
  pages: ReadonlyMap<string, TranslatedPage>;
  search(query: string): TranslatedPage;
}

interface Leaf {
  slug: string;
  title(t: ReferenceTexts): Html | string;
  entries(t: ReferenceTexts): readonly (readonly [id: string, name: Html | string])[];
  body(words: ReferenceWords): Html;
  /** Renders links to other pages, shown below the body and excluded from search. */
  index?(words: ReferenceWords): Html;
}

const inEnglish = (text: string) => html`<span${IN_ENGLISH}>${text}</span>`;
const titleOf = ({ tag, name }: Resource, t: ReferenceTexts) =>
  name === null ? t.parts[tag] : html`${t.parts[tag]}: ${inEnglish(name)}`;
const pathOf = (slug: string) => (slug === '' ? ROOT : `${ROOT}/${slug}`);

function entryOf({ id, method, path }: Route): readonly [string, Html] {
  const short = path.replace(/^\/api\/v\d|^\/oauth\/v1|^\/devnet/, '');
  return [
    id,
    html`<span class="method method-${method} mono">${method.toUpperCase()}</span> <span class="mono">${short}</span>`,
  ];
}

function leafOf(resource: Resource, baseUrl: string): Leaf {
  const { slug, tag, routes } = resource;
  return {
    slug,
    title: (t) => titleOf(resource, t),
    entries: () => routes.map(entryOf),
    body: (words) => html`<p class="muted"${IN_ENGLISH}>${TAGS[tag]}</p>
${routes.map((route) => operation(route, baseUrl, words))}`,
  };
}

/** The last part for applications, before webhooks, error codes, and the parts for other clients. */
const LAST_FOR_APPLICATIONS = 'Applications';

export function reference(baseUrl: string, routes: readonly Route[]): Reference {
  const resources = resourcesOf(routes);
  const split = resources.findIndex(({ tag }) => tag === LAST_FOR_APPLICATIONS) + 1;
  const leaves: readonly Leaf[] = [
    ...resources.slice(0, split).map((one) => leafOf(one, baseUrl)),
    {
      slug: 'webhooks',
      title: (t) => t.webhooks,
      entries: () => WEBHOOK_EVENTS.map((type) => [eventId(type), html`<span class="mono">${type}</span>`] as const),
      body: webhooks,
    },
    { slug: 'errors', title: (t) => t.errorCodes, entries: () => [], body: (words) => errors(routes, words) },
    ...resources.slice(split).map((one) => leafOf(one, baseUrl)),
  ];
  const overview: Leaf = {
    slug: '',
    title: (t) => t.title,
    entries: (t) => BASICS.map(([id, name]) => [id, t[name]] as const),
    body: (words) => basics(baseUrl, words),
    index: (words) => html`${resources.map((one) => callsOf(one, words.texts))}`,
  };

  const framed = (current: Leaf, query = ''): TranslatedPage => {
    return ({ reference: t, frame }) => {
      const words = { texts: t };
      const title = current.title(t);
      const plain = textOf(title);
      return {
        title: current === overview ? t.title : `${plain} · ${t.title}`,
        description: t.description,
        ...CONTENTS_FILES,
        scriptTexts: frame.copying,
        full: true,
        main: contentsFrame(
          {
            search: `${ROOT}/search`,
            query,
            contents: [overview, ...leaves].map((leaf) => contentsOf(leaf, leaf === current, t)),
          },
          html`<div class="stack stack-tight">
<h1 class="title">${title}</h1>
${current === overview && html`<p class="lead">${t.lead({ link: (text) => html`<a class="link" href="/api/openapi.json">${text}</a>` })}</p>`}
${t.inEnglish !== '' && html`<p class="muted">${t.inEnglish}</p>`}
<div class="cluster" id="languages" role="group" aria-label="${t.languages}" hidden><button type="button" class="button button-small" data-language="curl">curl</button><button type="button" class="button button-small" data-language="JavaScript">JavaScript</button></div>
</div>
${current.body(words)}
${current.index?.(words)}`,
          t,
        ),
      } satisfies Page;
    };
  };

  const indexes = new Map<ReferenceTexts, SearchEntry[]>();
  const indexOf = (t: ReferenceTexts): SearchEntry[] => {
    const made = indexes.get(t) ?? [overview, ...leaves].flatMap((leaf) => entriesOf(leaf, routes, baseUrl, t));
    indexes.set(t, made);
    return made;
  };
  return {
    pages: new Map([overview, ...leaves].map((leaf) => [leaf.slug, framed(leaf)])),
    search: (query) => (texts, language) => {
      const found = searchIn(indexOf(texts.reference), query);
      const results: Leaf = {
        slug: 'search',
        title: (t) => t.search,
        entries: () => [],
        body: ({ texts: t }) => searchResults(found, t, IN_ENGLISH),
      };
      return framed(results, query.slice(0, MAX_QUERY))(texts, language);
    },
  };
}

function callsOf(resource: Resource, t: ReferenceTexts): Html {
  const heading = `part-${resource.slug}`;
  return html`<section class="stack stack-tight" aria-labelledby="${heading}">
<h2 class="subheading" id="${heading}"><a class="link" href="${pathOf(resource.slug)}">${titleOf(resource, t)}</a></h2>
<ul class="calls"${IN_ENGLISH}>${resource.routes.map((route) => html`<li><a class="link" href="${pathOf(resource.slug)}#${route.id}">${route.summary}</a> <span class="small muted mono anywhere">${route.method.toUpperCase()} ${route.path}</span></li>\n`)}</ul>
</section>
`;
}

function contentsOf(leaf: Leaf, isCurrent: boolean, t: ReferenceTexts): Html {
  const entries = isCurrent ? leaf.entries(t) : [];
  const title = leaf.slug === '' ? t.basics : leaf.title(t);
  return html`<li><a class="contents-part" href="${pathOf(leaf.slug)}"${isCurrent && html` aria-current="page"`}>${title}</a>
${entries.length > 0 && html`<ul>${entries.map(([id, name]) => html`<li><a class="contents-entry" href="#${id}">${name}</a></li>\n`)}</ul>`}</li>
`;
}

function entriesOf(leaf: Leaf, routes: readonly Route[], baseUrl: string, t: ReferenceTexts): SearchEntry[] {
  const path = pathOf(leaf.slug);
  const body = leaf.body({ texts: t }).toString();
  const places = leaf.entries(t).map(([id]) => id);
  const page = textOf(leaf.title(t));
  if (places.length === 0) return [{ url: path, title: page, text: textOf(body) }];
  const starts = places.map((id) => body.indexOf(`id="${id}"`)).filter((start) => start >= 0);
  const whole = { url: path, title: page, text: textOf(body.slice(0, starts[0]).replace(/<[^>]*$/, '')) };
  return [
    whole,
    ...places.map((id, i) => {
      const route = routes.find((one) => one.id === id);
      const part = textOf(body.slice(starts[i], starts[i + 1] ?? body.length).replace(/^[^>]*>/, ''));
      const title = route
        ? `${route.summary} · ${route.method.toUpperCase()} ${route.path}`
        : `${page} · ${textOf(leaf.entries(t)[i]?.[1] ?? '')}`;
      return { url: `${path}#${id}`, title: title.replace(baseUrl, ''), text: part.replace(/<[^>]*$/, '') };
    }),
  ];
}
