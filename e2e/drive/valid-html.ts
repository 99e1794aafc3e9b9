/** Validates a page's current HTML, including changes made by scripts. */
import { HtmlValidate } from 'html-validate';
import type { Page } from 'puppeteer-core';

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // The browser's serialization and styles set by scripts violate these rules.
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'doctype-style': 'off',
    'no-inline-style': 'off',
    'no-trailing-whitespace': 'off',
    'void-style': 'off',
    // ARIA in HTML allows names on lists and tables.
    'aria-label-misuse': ['error', { allowAnyNamable: true }],
    // Browsers must not save the wallet's password.
    'autocomplete-password': 'off',
  },
});

/** Returns the violations of html-validate's recommended rules as readable lines, each with the element's selector. */
export async function invalidHtml(page: Page): Promise<string[]> {
  const { results } = await validator.validateString(await page.content());
  return results
    .flatMap(({ messages }) => messages)
    .map(({ ruleId, message, selector }) => `${ruleId}: ${message} ${selector}`);
}
