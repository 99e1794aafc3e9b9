/**
 * Runs before and after every test file of page and window code. These files share a window, so each file's listeners,
 * content and observers are removed when it ends.
 */
import { afterAll } from 'vitest';

type Listen = typeof EventTarget.prototype.addEventListener;

// Some of these files select the Node environment, which has no window.
if (typeof window !== 'undefined') {
  for (const target of [window, document] as { addEventListener: Listen; removeEventListener: Listen }[]) {
    const { addEventListener } = target;
    const added: Parameters<Listen>[] = [];
    target.addEventListener = (...args: Parameters<Listen>) => {
      added.push(args);
      addEventListener.apply(target, args);
    };
    afterAll(() => {
      target.addEventListener = addEventListener;
      for (const args of added) target.removeEventListener(...args);
    });
  }
  const { MutationObserver } = globalThis;
  const observers: MutationObserver[] = [];
  globalThis.MutationObserver = class extends MutationObserver {
    constructor(callback: MutationCallback) {
      super(callback);
      observers.push(this);
    }
  };
  afterAll(() => {
    globalThis.MutationObserver = MutationObserver;
    for (const observer of observers) {
      observer.disconnect();
      observer.observe = () => {
        throw new Error('A MutationObserver of an earlier test file was turned on.');
      };
    }
  });
  afterAll(() => {
    for (const element of [document.documentElement, document.body])
      for (const { name } of [...element.attributes]) element.removeAttribute(name);
    document.head.replaceChildren();
    document.body.replaceChildren();
    // A later file's script would use the object, and with it this file's buttons.
    delete (window as { serviceButton?: unknown }).serviceButton;
  });
}
