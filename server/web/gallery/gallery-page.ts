/** The gallery: what the button can look like, and how to get it. Its live buttons are demos, which contact nobody. */
import { PRODUCT_NAME } from '../../../protocol/product.ts';
import type { ButtonManifest } from '../button-build.ts';
import { html, type Html } from '../../page/html.ts';
import type { Page } from '../../page/layout.ts';
import { scriptTag } from '../script-tag.ts';
import {
  attributesOf,
  codeOf,
  KINDS,
  LANGUAGES,
  LOOKS,
  PARTS_EXAMPLE,
  SIZES,
  THEMES,
  type Example,
} from './examples.ts';
import type { PictureSize } from './pictures.ts';
import { PARTS, PROPERTIES, STATES, type PicturedState } from './reference.ts';

/** What the page depends on. */
export interface GalleryContext {
  /** The service's origin. */
  baseUrl: string;
  /** The button's current build; null while there is none. */
  manifest: ButtonManifest | null;
  /** Pictures by file name. */
  pictures: ReadonlyMap<string, PictureSize>;
}

const SECTIONS = [
  ['embed', 'Put it on your page'],
  ['sizes', 'Sizes'],
  ['looks', 'Colours, corners, fonts'],
  ['parts', 'Parts'],
  ['themes', 'Light and dark'],
  ['states', 'States'],
  ['kinds', 'Kinds'],
  ['languages', 'Languages'],
] as const;

const attributes = (given: Readonly<Record<string, string>>) =>
  Object.entries(given).map(([name, value]) => html` ${name}="${value}"`);

/** The button itself, as a demo. */
const live = (example: Example): Html =>
  html`<div${attributes({ ...attributesOf(example), 'data-dev-mode': 'true' })}></div>`;

/**
 * A block of code; the page's script puts a button for copying into its head. It scrolls by itself, so it can have the
 * focus.
 */
const code = (kind: 'HTML' | 'CSS', text: string, about: string): Html => html`<div class="well code-frame">
<div class="row code-head"><span class="small muted">${kind}</span></div>
<pre class="code" tabindex="0" role="region" aria-label="${kind}: ${about}"><code>${text}</code></pre>
</div>`;

function example(shown: Example): Html {
  return html`<li class="card card-flush example">
<div${attributes({ ...shown.surroundings, class: `example-stage ${shown.surroundings?.class ?? ''}`.trim() })}>${live(shown)}</div>
<div class="example-text stack stack-tight">
<h3 class="subheading">${shown.title}</h3>
<p class="muted">${shown.text}</p>
${code('HTML', codeOf(shown), shown.title)}
${shown.css && code('CSS', shown.css, shown.title)}
</div>
</li>
`;
}

const examples = (list: readonly Example[], more?: Html): Html => html`<ul class="examples">
${list.map(example)}${more}</ul>`;

function section(id: (typeof SECTIONS)[number][0], lead: string, content: Html): Html {
  const title = SECTIONS.find(([name]) => name === id)?.[1];
  return html`<section aria-labelledby="${id}" class="stack gallery-section">
<div class="stack stack-tight"><h2 class="heading" id="${id}">${title}</h2><p class="muted">${lead}</p></div>
${content}
</section>

`;
}

function pictured({ picture, state, title, text }: PicturedState, pictures: GalleryContext['pictures']): Html {
  const size = pictures.get(`${picture}-light.png`);
  return html`<li class="card card-flush state${picture === 'full' && ' state-wide'}"><figure class="state-figure">
${size && html`<picture class="state-picture"><source media="(prefers-color-scheme: dark)" srcset="/pictures/${picture}-dark.png"><img src="/pictures/${picture}-light.png" width="${size.width}" height="${size.height}" alt="The button: ${title}" loading="lazy"></picture>`}
<figcaption class="state-text"><div class="row"><h3 class="subheading">${title}</h3><span class="badge mono">${state}</span></div><p class="muted">${text}</p></figcaption>
</figure></li>
`;
}

function embedding(baseUrl: string, manifest: ButtonManifest | null): Html {
  return html`<div class="ways">
<div class="card stack stack-tight"><h3 class="subheading">Always up to date</h3>
<p class="muted">Cached for a minute. Your page gets updates automatically.</p>
${code('HTML', `<script src="${baseUrl}/button.js" async></script>`, 'the newest script')}</div>
<div class="card stack stack-tight"><h3 class="subheading">Pinned to this version</h3>
<p class="muted">Available forever, and the browser rejects anything else. It doesn’t load anything by itself: pin the languages and parts you use as well. <a class="link" href="/button.json">button.json</a> lists them all.</p>
${manifest ? code('HTML', scriptTag(baseUrl, manifest), 'this version of the script') : html`<p class="banner banner-warning">The button hasn’t been built yet.</p>`}</div>
</div>
<div class="card stack stack-tight"><h3 class="subheading">One element for each button</h3>
<p class="muted">Or from JavaScript: <span class="mono anywhere">serviceButton.render(element, options)</span>. Put your own paymail, user ID or address in <span class="mono">data-to</span>.</p>
${code('HTML', codeOf({ title: '', text: '', attributes: { 'data-label': 'Read the article', 'data-on-payment': 'onPaid' } }), 'a button')}</div>`;
}

const properties = html`<div class="card table-scroll" tabindex="0" role="region" aria-labelledby="properties"><table class="table">
<caption id="properties">Custom properties</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Default</th><th scope="col">What it changes</th></tr></thead>
<tbody>
${PROPERTIES.map(({ name, initial, text }) => html`<tr><th scope="row" class="mono">${name}</th><td class="mono">${initial}</td><td>${text}</td></tr>\n`)}</tbody></table></div>`;

const parts = html`<li class="card stack"><h3 class="subheading">Part names</h3><dl class="facts">
${PARTS.map(({ name, text }) => html`<dt class="mono">${name}</dt><dd>${text}</dd>\n`)}</dl></li>
`;

const languages = html`<ul class="languages">
${LANGUAGES.map(({ title, surroundings = {}, ...rest }) => html`<li class="card stack stack-tight"${attributes(surroundings)}><h3 class="subheading">${title}</h3>${live({ title, ...rest })}</li>\n`)}</ul>
${code('HTML', '<html lang="pt">\n\n<!-- or closer to the button -->\n<section lang="ar" dir="rtl"> … </section>', 'the language of a page')}`;

/** GET /gallery */
export function galleryPage({ baseUrl, manifest, pictures }: GalleryContext): Page {
  return {
    title: 'Gallery',
    description: 'What the payment button can look like, and how to add it to your page.',
    styles: ['/assets/gallery.css'],
    scripts: ['/assets/copy-code.js', '/button.js'],
    wide: true,
    main: html`
<section class="hero stack">
<h1 class="hero-title">One button, made to fit</h1>
<p class="lead">Every size, state and language of the button, each with its code. Swipe any of them: on this page they’re demos, and no money moves.</p>
<nav class="cluster" aria-label="On this page">${SECTIONS.map(([id, title]) => html`<a class="button button-quiet button-small" href="#${id}">${title}</a>`)}</nav>
</section>

${section('embed', 'One script, and one element for each button.', embedding(baseUrl, manifest))}
${section('sizes', 'A class, or two custom properties.', examples(SIZES))}
${section('looks', 'Custom properties, set where you like: on the button, on a section, on the whole page.', html`${examples(LOOKS)}${properties}`)}
${section('parts', 'Named elements inside the button that you can style.', examples([PARTS_EXAMPLE], parts))}
${section('themes', 'Each is designed on its own; neither is just the other inverted.', examples(THEMES))}
${section(
  'states',
  'The element’s state is in data-state. No state changes its size.',
  html`<ul class="states">
${STATES.map((state) => pictured(state, pictures))}</ul>`,
)}
${section('kinds', 'The kind changes the wording, never how it works.', examples(KINDS))}
${section('languages', `${PRODUCT_NAME} uses the language of the element it’s in. Amounts follow that language too. Languages other than English are loaded on demand.`, languages)}
<noscript><p class="banner banner-warning">The buttons require JavaScript.</p></noscript>`,
  };
}
