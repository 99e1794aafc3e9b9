/** HTML from tagged templates. Escapes all values except fragments created by this tag. */

/** A fragment of safe HTML. Created only by {@link html} and {@link builtHtml}. */
class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}
export type { Html };

/** Values in a template. Text and numbers are escaped; null, undefined and false render nothing. */
export type Insertable = string | number | bigint | Html | null | undefined | false | readonly Insertable[];

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function render(value: Insertable): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(render).join('');
  return String(value).replace(/[&<>"']/g, (letter) => ESCAPES[letter] ?? '');
}

/**
 * Escapes values for element content and quoted attribute values. Unsafe in any other context (unquoted attributes,
 * names, `script`, `style`, URL schemes).
 */
export function html(parts: TemplateStringsArray, ...values: readonly Insertable[]): Html {
  return new Html(parts.reduce((text, part, i) => text + render(values[i - 1]) + part));
}

/** Wraps HTML that the build rendered from project files. Must never be used for data from requests. */
export const builtHtml = (text: string): Html => new Html(text);

/** Attributes for English text on pages of any language. */
export const IN_ENGLISH = html` lang="en" dir="ltr"`;
