/** Makes elements without markup text: pages with Trusted Types refuse `innerHTML`. */

type Attributes = Readonly<Record<string, string>>;

function withAttributes<E extends Element>(element: E, attributes: Attributes, children: readonly Node[]): E {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** An HTML element with attributes and children. */
export function make<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes, ...children: Node[]): HTMLElementTagNameMap[K] {
  return withAttributes(document.createElement(tag), attributes, children);
}

/** Line drawings on a field of 24 × 24. */
const ICONS = {
  chevrons: 'M6 6l6 6-6 6M13 6l6 6-6 6',
  dots: 'M6 12h.01M12 12h.01M18 12h.01',
  check: 'M5 12.5l4.7 4.7L19 7.5',
  wallet: 'M18 8V5.5H6a2 2 0 0 0 0 4h13.5v9H6a2 2 0 0 1-2-2v-9M15.8 14h.01',
} as const;

/** A drawing, hidden from assistive technology: what it says is said in words as well. */
export function icon(name: keyof typeof ICONS): SVGSVGElement {
  const svg = 'http://www.w3.org/2000/svg';
  // pathLength 1 lets the style sheet draw a line from nothing to whole.
  const path = withAttributes(document.createElementNS(svg, 'path'), { d: ICONS[name], pathLength: '1' }, []);
  return withAttributes(document.createElementNS(svg, 'svg'), { 'viewBox': '0 0 24 24', 'class': name, 'aria-hidden': 'true' }, [path]);
}
