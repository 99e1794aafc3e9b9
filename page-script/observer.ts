/** Sees buttons that come, go or change their attributes after the page has loaded. */
import { attributeOf, OPTION_NAMES } from './options/rules.ts';

/** What is told. */
export interface Observed {
  /** `root` came into the document. */
  added(root: HTMLElement): void;
  /** Something left its place; it may be in the document again, elsewhere. */
  removed(): void;
  /** An attribute that matters to a button changed. */
  changed(element: HTMLElement): void;
  languageChanged(): void;
}

/** Watches one document, while it is turned on. @returns turns it on or off; both may be said twice */
export function createObserver(document: Document, { added, removed, changed, languageChanged }: Observed): (on: boolean) => void {
  const observer = new MutationObserver((records) => {
    // Several attributes that change together are one change.
    const elements = new Set<HTMLElement>();
    if (records.some(({ removedNodes }) => removedNodes.length)) removed();
    for (const { target, attributeName, addedNodes } of records) {
      for (const node of addedNodes) if (node instanceof HTMLElement) added(node);
      if (attributeName === 'lang') languageChanged();
      else if (attributeName) elements.add(target as HTMLElement);
    }
    elements.forEach(changed);
  });
  const attributeFilter = ['class', 'lang', ...OPTION_NAMES.map(attributeOf)];
  return (on) => (on ? observer.observe(document, { subtree: true, childList: true, attributeFilter }) : observer.disconnect());
}
