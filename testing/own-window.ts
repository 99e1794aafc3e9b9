/**
 * Around every test file of page and window code: files share a window, and leave no listener on it and nothing in its
 * document.
 */
import { afterAll } from 'vitest';

type Listen = typeof EventTarget.prototype.addEventListener;

// Some of these files run without a window, as their first lines say.
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
  afterAll(() => {
    for (const element of [document.documentElement, document.body])
      for (const { name } of [...element.attributes]) element.removeAttribute(name);
    document.head.replaceChildren();
    document.body.replaceChildren();
  });
}
