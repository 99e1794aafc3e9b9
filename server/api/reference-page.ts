/**
 * The reference of the HTTP interface, for people: made from the same operations and schemas as the OpenAPI document.
 */
import type * as z from 'zod/mini';
import { statusOf } from '../http/errors.ts';
import { html, type Html } from '../page/html.ts';
import type { Page } from '../page/layout.ts';
import { jsonSchema } from './openapi.ts';
import { WEBHOOK_EVENTS } from '../../protocol/webhooks.ts';
import { APPLICATION_SCOPES, USER_SCOPES } from '../identity/scopes.ts';
import { errorsOf, TAGS, usualStatus, type Route, type Unstructured } from '../routing/route.ts';
import { WEBHOOK_EXAMPLES } from './webhook-examples.ts';

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
<tbody>${fields.map(({ name, type, optional }) => html`<tr><th scope="row" class="mono">${name}</th><td>${type}${optional && html` <span class="muted">(optional)</span>`}</td></tr>\n`)}</tbody>
</table></div>`;
}

const CALLERS = {
  anybody: 'Anyone',
  wallet: 'The wallet, with its own token',
  'any-wallet': 'The wallet, with its own token, or any wallet without one',
  owner: 'The wallet, with its own token, or this service’s own pages',
  person: 'The user’s browser',
  gateway: 'ARC, with the token this service gave it',
} as const;

function whoMayCall({ by }: Route): Html {
  if (by === 'client')
    return html`An application, with <span class="mono">client_id</span>, or with its secret (HTTP Basic)`;
  if (typeof by === 'string') return html`${CALLERS[by]}`;
  return html`A token with ${by.map((scope, i) => html`${i > 0 && ' or '}<span class="mono">${scope}</span>`)}`;
}

function errorList(route: Route): Html | null {
  const codes = errorsOf(route);
  if (codes.length === 0) return null;
  return html`<p class="small">Errors: ${codes.map((code, i) => html`${i > 0 && ', '}<span class="mono">${code}</span> (${statusOf(code, route.path)})`)}.</p>`;
}

/** JSON, or what a form or a query looks like on the wire. */
function sample(caption: string, value: unknown, encoded = false): Html {
  const text = encoded ? String(new URLSearchParams(value as Record<string, string>)) : JSON.stringify(value, null, 2);
  return html`<figure class="stack stack-tight"><figcaption class="small muted">${caption}</figcaption><pre class="code" tabindex="0">${text}</pre></figure>`;
}

const UNSTRUCTURED: Readonly<Record<Unstructured, string>> = {
  events: 'server-sent events (text/event-stream)',
  page: 'a page (text/html)',
  text: 'plain text',
  redirect: 'a redirect',
};

function answerOf(route: Route, status: string, answer: Route['answers'][number] | undefined): Html {
  if (answer === null || answer === undefined) return html`<p class="small">Response ${status}: no body.</p>`;
  if (typeof answer === 'string') return html`<p class="small">Response ${status}: ${UNSTRUCTURED[answer]}.</p>`;
  const example = Number(status) === usualStatus(route) ? route.example?.answer : undefined;
  return html`${fieldTable(`Response ${status}`, answer)}
${example !== undefined && sample(`Example response ${status}`, example)}`;
}

function routeCard(route: Route): Html {
  const { id, method, path, summary, query, body, bodyType = 'application/json', otherBodies = {} } = route;
  const { answers, once, example } = route;
  const isForm = bodyType === 'application/x-www-form-urlencoded';
  return html`<details class="card operation" id="${id}">
<summary><span class="operation-method mono">${method.toUpperCase()}</span> <span class="mono anywhere">${path}</span><span class="operation-summary muted">${summary}</span></summary>
<div class="stack">
<p class="small">Who may call it: ${whoMayCall(route)}.${once && html` Takes <span class="mono">Idempotency-Key</span>.`}</p>
${query && fieldTable('Query', query)}
${example?.query !== undefined && sample('Example query', example.query, true)}
${body && fieldTable(`Body (${bodyType})`, body)}
${example?.body !== undefined && sample('Example body', example.body, isForm)}
${Object.entries(otherBodies).map(([type, schema]) => fieldTable(`Or a body of ${type}`, schema))}
${Object.entries(answers).map(([status, answer]) => answerOf(route, status, answer))}
${errorList(route)}
</div>
</details>`;
}

/** Beside the token call: what each scope lets an application do. */
function scopeTable(): Html {
  const rows = (scopes: Readonly<Record<string, string>>, by: string) =>
    Object.entries(scopes).map(
      ([scope, may]) => html`<tr><th scope="row" class="mono">${scope}</th><td>${by}</td><td>${may}</td></tr>\n`,
    );
  return html`<div class="table-scroll" tabindex="0" role="region" aria-label="Scopes"><table class="table">
<caption>Scopes</caption>
<thead><tr><th scope="col">Scope</th><th scope="col">Granted by</th><th scope="col">Allows the application to</th></tr></thead>
<tbody>${rows(USER_SCOPES, 'the user')}${rows(APPLICATION_SCOPES, 'its client secret')}</tbody>
</table></div>`;
}

const anchorOf = (tag: string) => tag.toLowerCase().replaceAll(' ', '-');

/** GET /api/reference */
export function referencePage(baseUrl: string, routes: readonly Route[]): Page {
  const tags = Object.entries(TAGS).filter(([name]) => routes.some(({ tag }) => tag === name));
  return {
    title: 'API reference',
    description: 'Every endpoint of the HTTP API: who can call it, what it takes and what it returns.',
    styles: ['/assets/reference.css'],
    main: html`
<div class="stack stack-tight">
<h1 class="title">API reference</h1>
<p class="lead">Every endpoint of the HTTP API: who can call it, what it takes and what it returns. Also available as an <a class="link" href="/api/openapi.json">OpenAPI 3.1 document</a>.</p>
<p class="cluster">${[...tags.map(([tag]) => tag), 'Webhooks'].map((tag) => html`<a class="link" href="#${anchorOf(tag)}">${tag}</a>`)}</p>
</div>

<section aria-labelledby="basics" class="stack stack-tight">
<h2 class="heading" id="basics">Basics</h2>
<ul class="stack stack-tight">
<li>All URLs start with <span class="mono anywhere">${baseUrl}</span>. Send tokens in the <span class="mono">Authorization: Bearer …</span> header, never in the URL.</li>
<li>Amounts are strings: decimal in a currency, or whole satoshis. Times are ISO 8601 in UTC.</li>
<li>API v2 errors are <span class="mono anywhere">{"error": {"code", "message"}}</span>; API v1 errors are JSON:API error documents with the same codes; the paymail host returns the v2 form with code and message at the top level as well; OAuth errors follow RFC 6749. Check codes, not messages: messages are for people and may change.</li>
<li>A write with an <span class="mono">Idempotency-Key</span> happens once. Repeat it with the same key and you get the same response, for a day, as long as your newer responses take up less than a megabyte.</li>
<li>Too many requests return 429; <span class="mono">Retry-After</span> says how many seconds to wait.</li>
<li>Anything you’re not allowed to read returns 404.</li>
</ul>
</section>

${tags.map(
  ([tag, description]) => html`<section aria-labelledby="${anchorOf(tag)}" class="stack">
<div class="stack stack-tight"><h2 class="heading" id="${anchorOf(tag)}">${tag}</h2><p class="muted">${description}</p></div>
${tag === 'OAuth' && scopeTable()}
${routes.filter((route) => route.tag === tag).map(routeCard)}
</section>\n`,
)}
<section aria-labelledby="webhooks" class="stack">
<div class="stack stack-tight">
<h2 class="heading" id="webhooks">Webhooks</h2>
<p class="muted">Sent by POST to an application’s webhook URL, signed according to Standard Webhooks, until it responds with 2xx.</p>
</div>
${WEBHOOK_EVENTS.map((type) => sample(type, WEBHOOK_EXAMPLES[type].signed))}
</section>`,
  };
}
