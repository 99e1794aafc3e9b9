/** Detects buttons that are added, removed or changed after loading, including those in open shadow roots. */
import { attributeOf, OPTION_NAMES } from '../options/rules.ts';

export interface Observed {
  added(root: Element): void;
  removed(): void;
  /** Called if an option's attribute has changed. */
  changed(element: HTMLElement): unknown;
  stateChanged(element: HTMLElement): unknown;
  languageChanged(): void;
}

export interface Observer {
  /** Watches a document or shadow root. Can be called repeatedly. Does nothing while the observer is off. */
  watch(root: Node): void;
  /** Turns the observer on or off. Roots must be watched again after the observer has been off. */
  turn(on: boolean): void;
}

export function createObserver({ added, removed, changed, stateChanged, languageChanged }: Observed): Observer {
  const observer = new MutationObserver((records) => {
    // Attributes that change together are reported once.
    const elements = new Set<HTMLElement>();
    if (records.some(({ removedNodes }) => removedNodes.length)) removed();
    for (const { target, attributeName, addedNodes } of records) {
      // `instanceof HTMLElement` would be false for SVG and for elements in other documents.
      for (const node of addedNodes) if (node.nodeType === 1) added(node as Element);
      if (attributeName === 'lang') languageChanged();
      else if (attributeName === 'data-state') stateChanged(target as HTMLElement);
      else if (attributeName) elements.add(target as HTMLElement);
    }
    elements.forEach(changed);
  });
  const attributeFilter = ['class', 'lang', 'data-state', ...OPTION_NAMES.map(attributeOf)];
  let isOn = false;
  return {
    watch: (root) => isOn && observer.observe(root, { subtree: true, childList: true, attributeFilter }),
    turn(on) {
      isOn = on;
      if (!on) observer.disconnect();
    },
  };
}
