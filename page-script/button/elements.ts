/** Creates elements without parsing markup, because pages with Trusted Types reject `innerHTML`. */

type Attributes = Readonly<Record<string, string>>;

function withAttributes<E extends Element>(
  element: E,
  attributes: Attributes,
  children: readonly (Node | string)[],
): E {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/**
 * Returns the language of an element's text, a BCP 47 tag or ''. Searches all ancestors, including those outside the
 * element's shadow tree.
 */
export function languageOf(element: Element): string {
  const near = element.closest('[lang]');
  const { host } = element.getRootNode() as Partial<ShadowRoot>;
  return near ? near.getAttribute('lang')! : host ? languageOf(host) : '';
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  // In SVG and XML documents, createElement doesn't create HTML elements.
  return withAttributes(
    document.createElementNS('http://www.w3.org/1999/xhtml', tag) as HTMLElementTagNameMap[K],
    attributes,
    children,
  );
}

/** Creates an element that pages can style as `::part()`. The button's style sheet uses a class with the same name. */
export function piece<K extends 'span' | 'div' | 'button'>(
  tag: K,
  attributes: Readonly<Record<string, string>> & { part: string },
  ...children: Node[]
): HTMLElementTagNameMap[K] {
  return make(tag, { class: attributes.part, ...attributes }, ...children);
}

/** Style sheets by document. A constructed sheet can be used in only one document, and buttons can be in frames. */
const sheets = new WeakMap<Document, Record<string, CSSStyleSheet>>();

/** Returns the document's shared sheet with these rules. Content Security Policies don't block constructed sheets. */
export function sheetOf(owner: Document, css: string): CSSStyleSheet {
  const made = sheets.get(owner) ?? {};
  sheets.set(owner, made);
  if (!made[css]) {
    made[css] = new (owner.defaultView ?? window).CSSStyleSheet();
    made[css].replaceSync(css);
  }
  return made[css];
}

export function adoptStyle(root: Document | ShadowRoot, css: string): void {
  const sheet = sheetOf(root.ownerDocument ?? (root as Document), css);
  const adopted = root.adoptedStyleSheets;
  if (!adopted.includes(sheet)) adopted.push(sheet);
}

/** The thumb's line drawings, in a viewBox of 24 × 24. */
export const ICONS = {
  chevrons: 'M6 6l6 6-6 6M13 6l6 6-6 6',
  dots: 'M6 12h.01M12 12h.01M18 12h.01',
  check: 'M5 12l5 5 9-10',
} as const;

/**
 * Creates a drawing in this viewBox. Hidden from assistive technology, because text next to the drawing has the same
 * meaning.
 */
export function icon(d: string): SVGElement {
  const svg = (tag: string, attributes: Attributes, ...children: Node[]) =>
    withAttributes(document.createElementNS('http://www.w3.org/2000/svg', tag) as SVGElement, attributes, children);
  // pathLength 1 lets the style sheet animate the line.
  return svg('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d, pathLength: '1' }));
}
