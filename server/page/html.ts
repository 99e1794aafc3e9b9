/** HTML by tagged templates: all values are escaped, except fragments made by this tag. */

/** A fragment of finished HTML. Only {@link html} and {@link builtHtml} make one. */
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

/** Values in a template: text and numbers are escaped; null, undefined and false render nothing. */
export type Insertable = string | number | bigint | Html | null | undefined | false | readonly Insertable[];

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function render(value: Insertable): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(render).join('');
  return String(value).replace(/[&<>"']/g, (letter) => ESCAPES[letter] ?? '');
}

/**
 * HTML with values escaped for element content and for quoted attribute values. Other places aren't safe (attributes
 * without quotes, names, `script`, `style`, the scheme of a URL).
 */
export function html(parts: TemplateStringsArray, ...values: readonly Insertable[]): Html {
  return new Html(parts.reduce((text, part, i) => text + render(values[i - 1]) + part));
}

/** HTML that the build rendered from files of the project. Never use it for anything that came by a request. */
export const builtHtml = (text: string): Html => new Html(text);

/** Attributes of text that is English in every language's page. */
export const IN_ENGLISH = html` lang="en" dir="ltr"`;
