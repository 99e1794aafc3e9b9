/** Reference sections that don't describe a single operation: basics, webhooks, error codes. */
import { ERRORS, type ErrorCode } from '../../../protocol/errors/service-error.ts';
import { WEBHOOK_EVENTS, webhookEvent } from '../../../protocol/http/webhooks.ts';
import { statusOf } from '../../http/errors.ts';
import { APPLICATION_SCOPES, USER_SCOPES } from '../../identity/scopes.ts';
import { html, IN_ENGLISH, type Html } from '../../page/html.ts';
import { errorsOf, type Route } from '../../routing/route.ts';
import { WEBHOOK_EXAMPLES, WEBHOOK_MEANINGS } from '../applications/webhook-examples.ts';
import { fieldsOf, foldedFieldList, type ReferenceWords } from './fields.ts';
import { codeBlock, jsonBlock } from './operation.ts';

export const BASICS = [
  ['authentication', 'authentication'],
  ['errors-form', 'errors'],
  ['pages', 'lists'],
  ['idempotency', 'idempotency'],
  ['limits', 'limits'],
] as const;

export function basics(baseUrl: string, { texts: t }: ReferenceWords): Html {
  return html`<section aria-labelledby="basics" class="reference-part stack">
<h2 class="heading" id="basics">${t.basics}</h2>
<p${IN_ENGLISH}>All URLs start with <span class="mono anywhere">${baseUrl}</span>. Amounts are strings: decimal in a currency, or whole satoshis. Times are ISO 8601 in UTC.</p>
<div class="operation">
<div class="operation-text stack stack-tight"><h3 class="subheading" id="authentication">${t.authentication}</h3>
<p${IN_ENGLISH}>Send tokens in the <span class="mono">Authorization: Bearer …</span> header, never in the URL. To read what was paid through your application, get a token with its client identifier and secret. To read what belongs to a user, ask that user for it with the <a class="link" href="/api/reference/oauth#authorize">authorization code flow</a>. Token lifetime: an access token is valid for an hour, a refresh token for thirty days after it was last used.</p></div>
<div class="operation-code">${codeBlock(
    'Shell',
    `curl "${baseUrl}/oauth/v1/token" \\\n  -u "$CLIENT_IDENTIFIER:$CLIENT_SECRET" \\\n  -d grant_type=client_credentials \\\n  -d scope=application_access:write`,
    'a token for an application',
  )}</div>
</div>
${scopeTable(t)}
<div class="operation">
<div class="operation-text stack stack-tight"><h3 class="subheading" id="errors-form">${t.errors}</h3>
<p${IN_ENGLISH}>API v2 errors have a code and a message; API v1 errors are JSON:API error documents with the same codes; the paymail host returns the v2 form with code and message at the top level as well; OAuth errors follow RFC 6749. Check codes, not messages: messages are for people and may change. What isn’t yours to read returns 404, as if it didn’t exist; a token without the scope that a call needs gets 403. <a class="link" href="/api/reference/errors">All codes</a></p></div>
<div class="operation-code">${jsonBlock('An error', { error: { code: 'not-found', message: ERRORS['not-found'].message } }, 'API v2', t.anError)}</div>
</div>
<h3 class="subheading" id="pages">${t.lists}</h3>
<p${IN_ENGLISH}>Lists of payments and assets have up to <span class="mono">limit</span> entries, newest first. Send the response’s <span class="mono">nextCursor</span> as <span class="mono">cursor</span> to get the next page; it’s null on the last one. Nothing is skipped or repeated if new entries arrive in between. Unknown parameters are refused.</p>
<h3 class="subheading" id="idempotency">${t.idempotency}</h3>
<p${IN_ENGLISH}>A write with an <span class="mono">Idempotency-Key</span> (16 to 200 characters; a UUID is a good choice) happens once. Repeat it with the same key and you get the same response, for a day, as long as your newer responses take up less than a megabyte.</p>
<h3 class="subheading" id="limits">${t.limits}</h3>
<p${IN_ENGLISH}>Too many requests return 429; <span class="mono">Retry-After</span> says how many seconds to wait.</p>
</section>
`;
}

function scopeTable(t: ReferenceWords['texts']): Html {
  const rows = (scopes: Readonly<Record<string, string>>, by: string) =>
    Object.entries(scopes).map(
      ([scope, may]) =>
        html`<tr><th scope="row" class="mono anywhere">${scope}</th><td>${by}</td><td${IN_ENGLISH}>${may}</td></tr>\n`,
    );
  return html`<div class="table-scroll"><table class="table">
<caption>${t.scopes}</caption>
<thead><tr><th scope="col">${t.scope}</th><th scope="col">${t.grantedBy}</th><th scope="col">${t.allows}</th></tr></thead>
<tbody>${rows(USER_SCOPES, t.byUser)}${rows(APPLICATION_SCOPES, t.bySecret)}</tbody>
</table></div>`;
}

export const eventId = (type: string) => `event-${type.replaceAll('.', '-')}`;

export function webhooks(words: ReferenceWords): Html {
  const { texts: t } = words;
  return html`<div class="reference-part stack">
<p class="muted"${IN_ENGLISH}>Sent by POST to an application’s webhook URL, signed according to <a class="link" href="https://www.standardwebhooks.com" rel="noopener noreferrer">Standard Webhooks</a>, until it responds with 2xx. They arrive at least once, and in order for each payment. Webhook retry: after an attempt that failed, or wasn’t answered with 2xx, the same event is sent again, after 5 seconds at first and then less and less often, for three days.</p>
<div class="operation">
<div class="operation-text stack">
<p${IN_ENGLISH}>Verify the signature over the raw body before you parse it. <span class="mono anywhere">service-button/server</span> does that, and so does every Standard Webhooks library: the headers are <span class="mono anywhere">webhook-id</span>, <span class="mono anywhere">webhook-timestamp</span> and <span class="mono anywhere">webhook-signature</span>.</p>
${foldedFieldList(t.body, 'Webhooks', fieldsOf(webhookEvent), words)}
</div>
<div class="operation-code">${codeBlock(
    'Verify',
    "import { verifyWebhook } from 'service-button/server';\n\nconst event = verifyWebhook(request.headers, rawBody, process.env.WEBHOOK_SECRET);",
    'a webhook',
  )}</div>
</div>
${WEBHOOK_EVENTS.map(
  (type) => html`<article class="operation" id="${eventId(type)}" aria-labelledby="${eventId(type)}-name">
<div class="operation-text stack stack-tight"><h2 class="subheading mono" id="${eventId(type)}-name"><a class="operation-name" href="#${eventId(type)}">${type}</a></h2><p${IN_ENGLISH}>${WEBHOOK_MEANINGS[type]}</p></div>
<div class="operation-code">${jsonBlock(type, WEBHOOK_EXAMPLES[type].signed, 'the body')}</div>
</article>
`,
)}
</div>
`;
}

export function errors(routes: readonly Route[], { texts: t }: ReferenceWords): Html {
  const codes = [...new Set(routes.flatMap(errorsOf))].sort((a, b) => statusOf(a) - statusOf(b) || (a < b ? -1 : 1));
  const row = (code: ErrorCode) =>
    html`<tr id="error-${code}"><th scope="row" class="mono anywhere">${code}</th><td class="number">${statusOf(code)}</td><td${IN_ENGLISH}>${ERRORS[code].message}</td></tr>\n`;
  return html`<div class="reference-part stack">
<p class="muted"${IN_ENGLISH}>Codes are stable: they never change their meaning.</p>
<div class="table-scroll"><table class="table">
<thead><tr><th scope="col">${t.code}</th><th scope="col">${t.status}</th><th scope="col">${t.message}</th></tr></thead>
<tbody>${codes.map(row)}</tbody>
</table></div>
</div>
`;
}
