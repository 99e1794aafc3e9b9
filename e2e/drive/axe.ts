/** What Axe finds wrong for people who use a page without eyes, or without a mouse. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'puppeteer-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** As readable lines: none where all is well. */
export async function axe(page: Page): Promise<string[]> {
  // An evaluated text is let through by the page's policy; a script element would not be.
  await page.evaluate(AXE);
  const results = await page.evaluate(() => (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run());
  if (results.passes.length < 10) throw new Error('Axe has looked at next to nothing');
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
