/** Detects buttons that are added, removed or changed after loading, also in open shadow roots. */
import { attributeOf, OPTION_NAMES } from '../options/rules.ts';

export interface Observed {
  added(root: Element): void;
  removed(): void;
  /** An attribute that matters to a button changed. */
  changed(element: HTMLElement): unknown;
  stateChanged(element: HTMLElement): unknown;
  languageChanged(): void;
}

export interface Observer {
  /** Watches a document or a shadow root; may be called twice. Does nothing while it is off. */
  watch(root: Node): void;
  /** Turns it on or off. Roots must be watched again after it was off. */
  turn(on: boolean): void;
}

export function createObserver({ added, removed, changed, stateChanged, languageChanged }: Observed): Observer {
  const observer = new MutationObserver((records) => {
    // Several attributes that change together are one change.
    const elements = new Set<HTMLElement>();
    if (records.some(({ removedNodes }) => removedNodes.length)) removed();
    for (const { target, attributeName, addedNodes } of records) {
      // `instanceof` fails for elements of other documents and of SVG.
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
