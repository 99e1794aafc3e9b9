/**
 * The reference of the HTTP interface, for people: made from the same operations and schemas as the OpenAPI document.
 */
import type * as z from 'zod/mini';
import { statusOf } from '../http/errors.ts';
import { html, type Html } from '../page/html.ts';
import type { Page } from '../page/layout.ts';
import { jsonSchema } from './openapi.ts';
import { errorsOf, OPERATIONS, TAGS, type Operation } from './operations.ts';

type Json = Record<string, unknown>;

/** One row of a table of fields. */
interface Field {
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

/** The fields of a schema, those of objects within behind a point, those of lists behind `[]`. */
function fieldsOf(schema: Json, prefix = ''): Field[] {
  if (Array.isArray(schema.anyOf)) {
    const seen = new Map(
      (schema.anyOf as Json[]).flatMap((one) => fieldsOf(one, prefix)).map((field) => [field.name, field]),
    );
    return [...seen.values()];
  }
  if (schema.type === 'array') return fieldsOf((schema.items ?? {}) as Json, `${prefix}[]`);
  const required = new Set((schema.required ?? []) as string[]);
  return Object.entries((schema.properties ?? {}) as Record<string, Json>).flatMap(([key, value]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    return [{ name, type: typeOf(value), optional: !required.has(key) }, ...fieldsOf(value, name)];
  });
}

function fieldTable(caption: string, schema: z.ZodMiniType): Html {
  const fields = fieldsOf(jsonSchema(schema));
  if (fields.length === 0) return html`<p class="muted">${caption}: an empty object.</p>`;
  return html`<div class="table-scroll" tabindex="0" role="region" aria-label="${caption}"><table class="table">
<caption>${caption}</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th></tr></thead>
<tbody>${fields.map(({ name, type, optional }) => html`<tr><th scope="row" class="mono">${name}</th><td>${type}${optional && html` <span class="muted">(may be left out)</span>`}</td></tr>\n`)}</tbody>
</table></div>`;
}

function whoMayCall({ by }: Operation): Html {
  if (by === 'anybody') return html`Anybody`;
  if (by === 'wallet') return html`The wallet, with its own token`;
  if (by === 'any-wallet') return html`The wallet, with its own token, or any wallet without one`;
  if (by === 'owner') return html`The wallet, with its own token, or this service’s own pages`;
  if (by === 'client') return html`An application, by <span class="mono">client_id</span> or by Basic with its secret`;
  return html`A token with ${by.map((scope, i) => html`${i > 0 && ' or '}<span class="mono">${scope}</span>`)}`;
}

function errorTable(operation: Operation): Html {
  return html`<p class="small">Errors: ${errorsOf(operation).map((code, i) => html`${i > 0 && ', '}<span class="mono">${code}</span> (${statusOf(code)})`)}.</p>`;
}

function operationCard(operation: Operation): Html {
  const { id, method, path, summary, query, body, answers, once } = operation;
  return html`<details class="card operation" id="${id}">
<summary><span class="operation-method mono">${method.toUpperCase()}</span> <span class="mono anywhere">${path}</span><span class="operation-summary muted">${summary}</span></summary>
<div class="stack">
<p class="small">Who may call it: ${whoMayCall(operation)}.${once && html` Takes <span class="mono">Idempotency-Key</span>.`}</p>
${query && fieldTable('Query', query)}
${body && fieldTable(body.type === 'application/json' ? 'Body (JSON)' : 'Body (form)', body.schema)}
${Object.entries(answers).map(([status, answer]) =>
  answer === 'events'
    ? html`<p class="small">Answer ${status}: server-sent events (<code>text/event-stream</code>).</p>`
    : answer
      ? fieldTable(`Answer ${status}`, answer)
      : html`<p class="small">Answer ${status}: no body.</p>`,
)}
${errorTable(operation)}
</div>
</details>`;
}

const anchorOf = (tag: string) => tag.toLowerCase().replaceAll(' ', '-');

/** GET /api/reference */
export function referencePage(baseUrl: string): Page {
  return {
    title: 'API reference',
    description: 'Every call of the HTTP interface: who may make it, what it takes and what it answers.',
    styles: ['/assets/reference.css'],
    main: html`
<div class="stack stack-tight">
<h1 class="title">API reference</h1>
<p class="lead">Every call of the HTTP interface: who may make it, what it takes, what it answers. Machines read the same as an <a class="link" href="/api/openapi.json">OpenAPI 3.1 document</a>.</p>
<p class="cluster">${Object.keys(TAGS).map((tag) => html`<a class="link" href="#${anchorOf(tag)}">${tag}</a>`)}</p>
</div>

<section aria-labelledby="basics" class="stack stack-tight">
<h2 class="heading" id="basics">What holds everywhere</h2>
<ul class="stack stack-tight">
<li>All addresses begin with <span class="mono anywhere">${baseUrl}</span>. A token goes into the header <span class="mono">Authorization: Bearer …</span>, never into the address.</li>
<li>Money is text: decimal in a currency, or whole satoshis. Times are ISO 8601 UTC.</li>
<li>An error of API v2 is <span class="mono anywhere">{"error": {"code", "message"}}</span>; of API v1 a JSON:API error document with the same codes; of OAuth what RFC 6749 says. Compare codes: messages are for people and may change.</li>
<li>A write with <span class="mono">Idempotency-Key</span> is made once. Send it again with the same key, and you get the same answer: for a day, and as long as your newer answers take up less than a megabyte.</li>
<li>Too many requests are answered 429; <span class="mono">Retry-After</span> says how many seconds to wait.</li>
<li>What you may not read does not exist: 404.</li>
</ul>
</section>

${Object.entries(TAGS).map(
  ([tag, description]) => html`<section aria-labelledby="${anchorOf(tag)}" class="stack">
<div class="stack stack-tight"><h2 class="heading" id="${anchorOf(tag)}">${tag}</h2><p class="muted">${description}</p></div>
${OPERATIONS.filter((operation) => operation.tag === tag).map(operationCard)}
</section>\n`,
)}`,
  };
}
