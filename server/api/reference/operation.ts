/** Renders one operation of the reference: parameters and results, next to an example request and response. Pure. */
import { statusOf } from '../../http/errors.ts';
import { html, IN_ENGLISH, type Html } from '../../page/html.ts';
import type { ReferenceTexts } from '../../page/texts.ts';
import { errorsOf, usualStatus, type Route } from '../../routing/route.ts';
import { codeSamples } from './code-samples.ts';
import { fieldList, fieldsOf, foldedFieldList, pathFieldsOf, type ReferenceWords } from './fields.ts';

const separated = (items: readonly Html[], separator: string) =>
  items.map((item, i) => html`${i > 0 && separator}${item}`);

function whoMayCall({ by }: Route, t: ReferenceTexts): Html {
  if (by === 'client') return t.client({ parameter: html`<span class="mono">client_id</span>` });
  if (typeof by === 'string') return html`${t.callers[by]}`;
  return t.tokenWith({
    scopes: separated(
      by.map((scope) => html`<span class="mono anywhere">${scope}</span>`),
      t.tokenSeparator,
    ),
  });
}

function errorList(route: Route, t: ReferenceTexts): Html | null {
  const codes = errorsOf(route);
  if (codes.length === 0) return null;
  const links = codes.map(
    (code) =>
      html`<a class="link mono" href="/api/reference/errors#error-${code}">${code}</a> (${statusOf(code, route.path)})`,
  );
  return html`<p class="small">${t.errorList({ codes: separated(links, t.errorSeparator) })}</p>
`;
}

/** Renders a code block, to which a script adds a copy button. Focusable so that it can be scrolled by keyboard. */
export function codeBlock(kind: string, text: string, about: string, shown = kind): Html {
  return html`<div class="well code-frame" data-code="${kind}">
<div class="row code-head"><span class="small muted">${shown}</span></div>
<pre class="code"${IN_ENGLISH} tabindex="0" role="group" aria-label="${shown}: ${about}"><code>${text}</code></pre>
</div>
`;
}

export const jsonBlock = (kind: string, value: unknown, about: string, shown = kind) =>
  codeBlock(kind, JSON.stringify(value, null, 2), about, shown);

function answerFields(
  { tag }: Route,
  status: string,
  answer: Route['answers'][number] | undefined,
  words: ReferenceWords,
): Html {
  const { texts: t } = words;
  if (answer === null || answer === undefined) return html`<p class="small">${t.response({ status })}: ${t.noBody}</p>`;
  if (typeof answer === 'string')
    return html`<p class="small">${t.response({ status })}: ${t.unstructured[answer]}</p>`;
  return foldedFieldList(t.response({ status }), tag, fieldsOf(answer), words);
}

/** Renders an operation's entry. @param baseUrl the service's origin, for the examples */
export function operation(route: Route, baseUrl: string, words: ReferenceWords): Html {
  const { texts: t } = words;
  const { id, method, path, summary, tag, query, body, bodyType = 'application/json', otherBodies = {} } = route;
  const { answers, once, example } = route;
  const code = codeSamples(route, baseUrl);
  const status = usualStatus(route);
  const inPath = pathFieldsOf(path);
  return html`<article class="operation" id="${id}" aria-labelledby="${id}-name">
<div class="operation-text stack">
<div class="stack stack-tight">
<h2 class="subheading"${IN_ENGLISH} id="${id}-name"><a class="operation-name" href="#${id}">${summary}</a></h2>
<p class="endpoint" dir="ltr"><span class="method method-${method} mono">${method.toUpperCase()}</span> <code class="mono anywhere">${path}</code></p>
<p class="small muted">${whoMayCall(route, t)}${t.stop}${once && html` ${t.takes({ header: html`<a class="link mono" href="/api/reference#idempotency">Idempotency-Key</a>` })}`}</p>
</div>
${inPath.length > 0 && fieldList(t.inPath, tag, inPath, words)}
${query && fieldList(t.query, tag, fieldsOf(query), words)}
${body && fieldList(t.bodyOf({ type: bodyType }), tag, fieldsOf(body), words)}
${Object.entries(otherBodies).map(([type, schema]) => foldedFieldList(t.orBodyOf({ type }), tag, fieldsOf(schema), words))}
${Object.entries(answers).map(([one, answer]) => answerFields(route, one, answer, words))}
${errorList(route, t)}
</div>
<div class="operation-code stack">
${code && html`${codeBlock('curl', code.curl, summary)}${codeBlock('JavaScript', code.javascript, summary)}`}
${example?.answer !== undefined && jsonBlock(`Response ${status}`, example.answer, summary, t.response({ status }))}
</div>
</article>
`;
}
