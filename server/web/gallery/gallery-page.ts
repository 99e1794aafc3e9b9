/** The gallery of the button's looks and styling. Its live buttons are demos that make no requests. */
import type { ButtonManifest } from '../button-build.ts';
import { html, type Html } from '../../page/html.ts';
import type { TranslatedPage } from '../../page/layout.ts';
import type { GalleryTexts } from '../../page/texts.ts';
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
  type ExplainedExample,
} from './examples.ts';
import type { PictureSize } from './pictures.ts';
import { PARTS, PROPERTIES, STATES } from './reference.ts';

export interface GalleryContext {
  baseUrl: string;
  /** The button's current build, or null. */
  manifest: ButtonManifest | null;
  pictures: ReadonlyMap<string, PictureSize>;
}

const attributes = (given: Readonly<Record<string, string>>) =>
  Object.entries(given).map(([name, value]) => html` ${name}="${value}"`);

/** Renders the button as a live demo. */
const live = (example: Example, t: GalleryTexts): Html =>
  html`<div${attributes({ ...attributesOf(example, t.examples), 'data-dev-mode': 'true' })}></div>`;

/** Renders a code block, to which a script adds a copy button. Focusable so that it can be scrolled by keyboard. */
const code = (kind: 'HTML' | 'CSS', text: string, about: string): Html => html`<div class="well code-frame">
<div class="row code-head"><span class="small muted">${kind}</span></div>
<pre class="code" dir="ltr" tabindex="0" role="group" aria-label="${kind}: ${about}"><code>${text}</code></pre>
</div>`;

function example(shown: ExplainedExample, t: GalleryTexts): Html {
  const { title, text } = t.examples[shown.id];
  return html`<li class="card card-flush example">
<div${attributes({ ...shown.surroundings, class: `example-stage ${shown.surroundings?.class ?? ''}`.trim() })}>${live(shown, t)}</div>
<div class="example-text stack stack-tight">
<h3 class="subheading">${title}</h3>
<p class="muted">${text}</p>
${code('HTML', codeOf(shown, t.examples), title)}
${shown.css && code('CSS', shown.css, title)}
</div>
</li>
`;
}

const examples = (list: readonly ExplainedExample[], t: GalleryTexts, more?: Html): Html => html`<ul class="examples">
${list.map((one) => example(one, t))}${more}</ul>`;

function section(id: keyof GalleryTexts['sections'], t: GalleryTexts, content: Html): Html {
  const { title, lead } = t.sections[id];
  return html`<section aria-labelledby="${id}" class="stack gallery-section">
<div class="stack stack-tight"><h2 class="heading" id="${id}">${title}</h2><p class="muted">${lead}</p></div>
${content}
</section>

`;
}

function pictured(
  { picture, state }: (typeof STATES)[number],
  pictures: GalleryContext['pictures'],
  t: GalleryTexts,
): Html {
  const { title, text } = t.states[picture];
  const size = pictures.get(`${picture}-light.png`);
  return html`<li class="card card-flush state${picture === 'full' && ' state-wide'}"><figure class="state-figure">
${size && html`<picture class="state-picture"><source media="(prefers-color-scheme: dark)" srcset="/pictures/${picture}-dark.png"><img src="/pictures/${picture}-light.png" width="${size.width}" height="${size.height}" alt="${t.picture({ state: title })}" loading="lazy"></picture>`}
<figcaption class="state-text"><div class="row"><h3 class="subheading">${title}</h3><span class="badge mono">${state}</span></div><p class="muted">${text}</p></figcaption>
</figure></li>
`;
}

function embedding(baseUrl: string, manifest: ButtonManifest | null, t: GalleryTexts): Html {
  const mono = (text: string) => html`<span class="mono anywhere">${text}</span>`;
  return html`<div class="ways">
<div class="card stack stack-tight"><h3 class="subheading">${t.upToDate}</h3>
<p class="muted">${t.upToDateText}</p>
${code('HTML', `<script src="${baseUrl}/button.js" async></script>`, t.upToDateCode)}</div>
<div class="card stack stack-tight"><h3 class="subheading">${t.pinned}</h3>
<p class="muted">${t.pinnedText({ list: html`<a class="link" href="/button.json"><bdi>button.json</bdi></a>` })}</p>
${manifest ? code('HTML', scriptTag(baseUrl, manifest), t.pinnedCode) : html`<p class="banner banner-warning">${t.notBuilt}</p>`}</div>
</div>
<div class="card stack stack-tight"><h3 class="subheading">${t.element}</h3>
<p class="muted">${t.elementText({ render: mono('serviceButton.render(element, options)'), to: mono('data-to') })}</p>
${code('HTML', codeOf({ attributes: { 'data-label': t.elementLabel, 'data-on-payment': 'onPaid' } }, t.examples), t.elementCode)}</div>`;
}

const properties = (
  t: GalleryTexts,
) => html`<div class="card table-scroll" tabindex="0" role="group" aria-labelledby="properties"><table class="table">
<caption id="properties">${t.propertiesTitle}</caption>
<thead><tr><th scope="col">${t.propertyName}</th><th scope="col">${t.propertyInitial}</th><th scope="col">${t.propertyChanges}</th></tr></thead>
<tbody>
${PROPERTIES.map(({ name, initial }) => html`<tr><th scope="row" class="mono">${name}</th><td class="mono">${name in t.initials ? t.initials[name as keyof typeof t.initials] : initial}</td><td>${t.properties[name]}</td></tr>\n`)}</tbody></table></div>`;

const parts = (
  t: GalleryTexts,
) => html`<li class="card stack"><h3 class="subheading">${t.partNames}</h3><dl class="facts">
${PARTS.map((name) => html`<dt class="mono">${name}</dt><dd>${t.parts[name]}</dd>\n`)}</dl></li>
`;

const languages = (t: GalleryTexts) => html`<ul class="languages">
${LANGUAGES.map(({ name, surroundings }) => html`<li class="card stack stack-tight"${attributes(surroundings)}><h3 class="subheading">${name}</h3>${live({}, t)}</li>\n`)}</ul>
${code('HTML', '<html lang="pt">\n\n<!-- or closer to the button -->\n<section lang="ar" dir="rtl"> … </section>', t.languageCode)}`;

/** Renders GET /gallery. */
export function galleryPage({ baseUrl, manifest, pictures }: GalleryContext): TranslatedPage {
  return ({ gallery: t, frame }) => ({
    title: t.title,
    description: t.description,
    styles: ['/assets/gallery.css'],
    scripts: ['/assets/copy-code.js', '/button.js'],
    scriptTexts: frame.copying,
    wide: true,
    main: html`
<section class="hero stack">
<h1 class="hero-title">${t.heading}</h1>
<p class="lead">${t.lead}</p>
<nav class="cluster" aria-label="${t.onThisPage}">${Object.entries(t.sections).map(([id, { title }]) => html`<a class="button button-quiet button-small" href="#${id}">${title}</a>`)}</nav>
</section>

${section('embed', t, embedding(baseUrl, manifest, t))}
${section('sizes', t, examples(SIZES, t))}
${section('looks', t, html`${examples(LOOKS, t)}${properties(t)}`)}
${section('parts', t, examples([PARTS_EXAMPLE], t, parts(t)))}
${section('themes', t, examples(THEMES, t))}
${section(
  'states',
  t,
  html`<ul class="states">
${STATES.map((state) => pictured(state, pictures, t))}</ul>`,
)}
${section('kinds', t, examples(KINDS, t))}
${section('languages', t, languages(t))}
<noscript><p class="banner banner-warning">${t.noScript}</p></noscript>`,
  });
}
