import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'puppeteer-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns Axe's violations as readable lines. `selector` restricts the check to an element. */
export async function axe(page: Page, selector?: string): Promise<string[]> {
  await atRest(page);
  // The page's policy blocks script elements, but not Puppeteer's `evaluate`.
  await page.evaluate(AXE);
  const results = await page.evaluate(
    (within) =>
      (window as unknown as { axe: { run(context: unknown, options: unknown): Promise<AxeResults> } }).axe.run(
        within === undefined ? document : { include: [[within]] },
        // Axe disables this rule by default (WCAG 2.2, 2.5.8).
        { rules: { 'target-size': { enabled: true } } },
      ),
    selector,
  );
  if (results.passes.length < (selector === undefined ? 10 : 1)) throw new Error('Axe has looked at next to nothing');
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Finishes all finite animations and transitions, because colors during a transition could fail the checks. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(() => {
    const rootsIn = (root: Document | ShadowRoot): (Document | ShadowRoot)[] => [
      root,
      ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? rootsIn(shadowRoot) : [])),
    ];
    for (const root of rootsIn(document)) {
      for (const animation of root.getAnimations())
        if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
    }
  });
}
