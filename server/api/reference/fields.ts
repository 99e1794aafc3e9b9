import type * as z from 'zod/mini';
import { html, IN_ENGLISH, type Html } from '../../page/html.ts';
import type { ReferenceTexts } from '../../page/texts.ts';
import { jsonSchema } from '../openapi/openapi.ts';
import { meaningOf } from './meanings.ts';

export interface ReferenceWords {
  texts: ReferenceTexts;
}

type Json = Record<string, unknown>;

export interface Field {
  /** The property names from the root to this field: `['payments', 'id']`. */
  path: readonly string[];
  /** The path in dot notation, with `[]` for array elements: `payments[].id`. */
  name: string;
  type: string;
  optional: boolean;
}

function typeOf(schema: Json): string {
  if (Array.isArray(schema.enum)) return schema.enum.map(String).join(' | ');
  if ('const' in schema) return String(schema.const);
  if (Array.isArray(schema.anyOf)) return (schema.anyOf as Json[]).map(typeOf).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as Json)}`;
  if (schema.type === undefined) return 'anything';
  return [schema.type].flat().join(' or ');
}

function within(schema: Json, path: readonly string[], prefix: string): Field[] {
  if (Array.isArray(schema.anyOf)) {
    const all = (schema.anyOf as Json[]).flatMap((one) => within(one, path, prefix));
    return [...new Map(all.map((field) => [field.name, field])).values()];
  }
  if (schema.type === 'array') return within((schema.items ?? {}) as Json, path, `${prefix}[]`);
  const required = new Set((schema.required ?? []) as string[]);
  return Object.entries((schema.properties ?? {}) as Record<string, Json>).flatMap(([key, value]) => {
    const own = { path: [...path, key], name: prefix === '' ? key : `${prefix}.${key}` };
    return [{ ...own, type: typeOf(value), optional: !required.has(key) }, ...within(value, own.path, own.name)];
  });
}

export const fieldsOf = (schema: z.ZodMiniType): Field[] => within(jsonSchema(schema), [], '');

/** Returns the parameters in a route's path: `{id}` in `/users/{id}` becomes `users.{id}`. */
export function pathFieldsOf(path: string): Field[] {
  const parts = path.split('/');
  return parts.flatMap((part, i) =>
    part.startsWith('{')
      ? [{ path: [parts[i - 1] ?? '', part], name: part.slice(1, -1), type: 'string', optional: false }]
      : [],
  );
}

/** Renders text with field names in backticks as HTML. */
const prose = (text: string): Html[] =>
  text.split('`').map((piece, i) => (i % 2 === 1 ? html`<span class="mono anywhere">${piece}</span>` : html`${piece}`));

function fieldRow(part: string, { path, name, type, optional }: Field, { texts: t }: ReferenceWords): Html {
  const own = name.slice(name.lastIndexOf('.') + 1);
  return html`<div class="reference-field"><dt><span class="mono anywhere"><span class="muted">${name.slice(0, name.length - own.length)}</span>${own}</span> <span class="reference-type muted"><bdi${IN_ENGLISH}>${type}</bdi>${optional && ` · ${t.optional}`}</span></dt>
<dd${IN_ENGLISH}>${prose(meaningOf(part, path) ?? '')}</dd></div>
`;
}

/** Renders a list of fields below a heading. @param part the part of the reference that contains them */
export function fieldList(heading: Html | string, part: string, fields: readonly Field[], words: ReferenceWords): Html {
  return html`<div class="stack stack-tight"><h3 class="reference-label">${heading}</h3>
${fields.length === 0 ? html`<p class="muted">${words.texts.emptyObject}</p>` : html`<dl class="reference-fields">${fields.map((field) => fieldRow(part, field, words))}</dl>`}</div>
`;
}

export function foldedFieldList(
  heading: Html | string,
  part: string,
  fields: readonly Field[],
  words: ReferenceWords,
): Html {
  if (fields.length === 0) return fieldList(heading, part, fields, words);
  return html`<details class="reference-fold"><summary class="reference-label">${heading} <span class="muted">${words.texts.fields({ count: fields.length })}</span></summary>
<dl class="reference-fields">${fields.map((field) => fieldRow(part, field, words))}</dl></details>
`;
}
