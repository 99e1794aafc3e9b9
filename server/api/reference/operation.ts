/** One operation of the reference: what it takes and returns, beside examples of its request and its response. Pure. */
import { statusOf } from '../../http/errors.ts';
import { html, type Html } from '../../page/html.ts';
import { errorsOf, usualStatus, type Route, type Unstructured } from '../../routing/route.ts';
import { codeSamples } from './code-samples.ts';
import { fieldList, fieldsOf, foldedFieldList, pathFieldsOf } from './fields.ts';

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
  return html`A token with ${by.map((scope, i) => html`${i > 0 && ' or '}<span class="mono anywhere">${scope}</span>`)}`;
}

function errorList(route: Route): Html | null {
  const codes = errorsOf(route);
  if (codes.length === 0) return null;
  return html`<p class="small">Errors: ${codes.map((code, i) => html`${i > 0 && ', '}<a class="link mono" href="#error-${code}">${code}</a> (${statusOf(code, route.path)})`)}.</p>
`;
}

/** A block of code; scripts put a button for copying into its head. It scrolls by itself, so it can have the focus. */
export function codeBlock(kind: string, text: string, about: string): Html {
  return html`<div class="well code-frame" data-code="${kind}">
<div class="row code-head"><span class="small muted">${kind}</span></div>
<pre class="code" tabindex="0" role="group" aria-label="${kind}: ${about}"><code>${text}</code></pre>
</div>
`;
}

/** JSON as the reference shows it. */
export const jsonBlock = (kind: string, value: unknown, about: string) =>
  codeBlock(kind, JSON.stringify(value, null, 2), about);

const UNSTRUCTURED: Readonly<Record<Unstructured, string>> = {
  events: 'server-sent events (text/event-stream)',
  page: 'a page (text/html)',
  text: 'plain text',
  redirect: 'a redirect',
};

function answerFields({ tag }: Route, status: string, answer: Route['answers'][number] | undefined): Html {
  if (answer === null || answer === undefined) return html`<p class="small">Response ${status}: no body.</p>`;
  if (typeof answer === 'string') return html`<p class="small">Response ${status}: ${UNSTRUCTURED[answer]}.</p>`;
  return foldedFieldList(`Response ${status}`, tag, fieldsOf(answer));
}

/** @param baseUrl the service's origin, for the examples */
export function operation(route: Route, baseUrl: string): Html {
  const { id, method, path, summary, tag, query, body, bodyType = 'application/json', otherBodies = {} } = route;
  const { answers, once, example } = route;
  const code = codeSamples(route, baseUrl);
  const status = usualStatus(route);
  const inPath = pathFieldsOf(path);
  return html`<article class="operation" id="${id}" aria-labelledby="${id}-name">
<div class="operation-text stack">
<div class="stack stack-tight">
<h3 class="subheading" id="${id}-name"><a class="operation-name" href="#${id}">${summary}</a></h3>
<p class="endpoint"><span class="method method-${method} mono">${method.toUpperCase()}</span> <code class="mono anywhere">${path}</code></p>
<p class="small muted">${whoMayCall(route)}.${once && html` Takes <a class="link mono" href="#idempotency">Idempotency-Key</a>.`}</p>
</div>
${inPath.length > 0 && fieldList('In the path', tag, inPath)}
${query && fieldList('Query', tag, fieldsOf(query))}
${body && fieldList(`Body (${bodyType})`, tag, fieldsOf(body))}
${Object.entries(otherBodies).map(([type, schema]) => foldedFieldList(`Or a body of ${type}`, tag, fieldsOf(schema)))}
${Object.entries(answers).map(([one, answer]) => answerFields(route, one, answer))}
${errorList(route)}
</div>
<div class="operation-code stack">
${code && html`${codeBlock('curl', code.curl, summary)}${codeBlock('JavaScript', code.javascript, summary)}`}
${example?.answer !== undefined && jsonBlock(`Response ${status}`, example.answer, summary)}
</div>
</article>
`;
}
