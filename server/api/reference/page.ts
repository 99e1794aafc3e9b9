/** The reference of the HTTP interface, for people: made from the same routes and schemas as the OpenAPI document. */
import { ERRORS, type ErrorCode } from '../../../protocol/errors.ts';
import { WEBHOOK_EVENTS, webhookEvent } from '../../../protocol/webhooks.ts';
import { statusOf } from '../../http/errors.ts';
import { APPLICATION_SCOPES, USER_SCOPES } from '../../identity/scopes.ts';
import { html, type Html } from '../../page/html.ts';
import type { TranslatedPage } from '../../page/layout.ts';
import { errorsOf, TAGS, type Route } from '../../routing/route.ts';
import { WEBHOOK_EXAMPLES, WEBHOOK_MEANINGS } from '../webhook-examples.ts';
import { fieldsOf, foldedFieldList } from './fields.ts';
import { codeBlock, jsonBlock, operation } from './operation.ts';
import { IN_ENGLISH, type ReferenceWords } from './words.ts';

const anchorOf = (tag: string) => tag.toLowerCase().replaceAll(' ', '-');

/** By their anchors: the names of their texts. */
const BASICS = [
  ['authentication', 'authentication'],
  ['errors-form', 'errors'],
  ['pages', 'lists'],
  ['idempotency', 'idempotency'],
  ['limits', 'limits'],
] as const;

function basics(baseUrl: string, { texts: t }: ReferenceWords): Html {
  return html`<section aria-labelledby="basics" class="reference-part stack">
<h2 class="heading" id="basics">${t.basics}</h2>
<p${IN_ENGLISH}>All URLs start with <span class="mono anywhere">${baseUrl}</span>. Amounts are strings: decimal in a currency, or whole satoshis. Times are ISO 8601 in UTC.</p>
<div class="operation">
<div class="operation-text stack stack-tight"><h3 class="subheading" id="authentication">${t.authentication}</h3>
<p${IN_ENGLISH}>Send tokens in the <span class="mono">Authorization: Bearer …</span> header, never in the URL. To read what was paid through your application, get a token with its client identifier and secret. To read what belongs to a user, ask that user for it with the <a class="link" href="#authorize">authorization code flow</a>. Tokens are valid for an hour.</p>
${scopeTable(t)}</div>
<div class="operation-code">${codeBlock(
    'Shell',
    `curl "${baseUrl}/oauth/v1/token" \\\n  -u "$CLIENT_IDENTIFIER:$CLIENT_SECRET" \\\n  -d grant_type=client_credentials \\\n  -d scope=application_access:write`,
    'a token for an application',
  )}</div>
</div>
<div class="operation">
<div class="operation-text stack stack-tight"><h3 class="subheading" id="errors-form">${t.errors}</h3>
<p${IN_ENGLISH}>API v2 errors have a code and a message; API v1 errors are JSON:API error documents with the same codes; the paymail host returns the v2 form with code and message at the top level as well; OAuth errors follow RFC 6749. Check codes, not messages: messages are for people and may change. What isn’t yours to read returns 404, as if it didn’t exist; a token without the scope that a call needs gets 403. <a class="link" href="#errors">All codes</a></p></div>
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

/** What each scope lets an application do. */
function scopeTable(t: ReferenceWords['texts']): Html {
  const rows = (scopes: Readonly<Record<string, string>>, by: string) =>
    Object.entries(scopes).map(
      ([scope, may]) =>
        html`<tr><th scope="row" class="mono anywhere">${scope}</th><td>${by}</td><td${IN_ENGLISH}>${may}</td></tr>\n`,
    );
  return html`<section class="table-scroll" tabindex="0" aria-label="${t.scopes}"><table class="table">
<caption>${t.scopes}</caption>
<thead><tr><th scope="col">${t.scope}</th><th scope="col">${t.grantedBy}</th><th scope="col">${t.allows}</th></tr></thead>
<tbody>${rows(USER_SCOPES, t.byUser)}${rows(APPLICATION_SCOPES, t.bySecret)}</tbody>
</table></section>`;
}

const eventId = (type: string) => `event-${type.replaceAll('.', '-')}`;

function webhooks(words: ReferenceWords): Html {
  const { texts: t } = words;
  return html`<section aria-labelledby="webhooks" class="reference-part stack">
<div class="stack stack-tight"><h2 class="heading" id="webhooks">${t.webhooks}</h2>
<p class="muted"${IN_ENGLISH}>Sent by POST to an application’s webhook URL, signed according to <a class="link" href="https://www.standardwebhooks.com" rel="noopener noreferrer">Standard Webhooks</a>, until it responds with 2xx. They arrive at least once, and in order for each payment.</p></div>
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
<div class="operation-text stack stack-tight"><h3 class="subheading mono" id="${eventId(type)}-name"><a class="operation-name" href="#${eventId(type)}">${type}</a></h3><p${IN_ENGLISH}>${WEBHOOK_MEANINGS[type]}</p></div>
<div class="operation-code">${jsonBlock(type, WEBHOOK_EXAMPLES[type].signed, 'the body')}</div>
</article>
`,
)}
</section>
`;
}

/** The codes that any route may answer with. */
function errors(routes: readonly Route[], { texts: t }: ReferenceWords): Html {
  const codes = [...new Set(routes.flatMap(errorsOf))].sort((a, b) => statusOf(a) - statusOf(b) || (a < b ? -1 : 1));
  const row = (code: ErrorCode) =>
    html`<tr id="error-${code}"><th scope="row" class="mono anywhere">${code}</th><td class="number">${statusOf(code)}</td><td${IN_ENGLISH}>${ERRORS[code].message}</td></tr>\n`;
  return html`<section aria-labelledby="errors" class="reference-part stack">
<div class="stack stack-tight"><h2 class="heading" id="errors">${t.errorCodes}</h2><p class="muted"${IN_ENGLISH}>Codes are stable: they never change their meaning.</p></div>
<section class="table-scroll" tabindex="0" aria-label="${t.allErrorCodes}"><table class="table">
<thead><tr><th scope="col">${t.code}</th><th scope="col">${t.status}</th><th scope="col">${t.message}</th></tr></thead>
<tbody>${codes.map(row)}</tbody>
</table></section>
</section>
`;
}

function part(
  tag: keyof typeof TAGS,
  description: string,
  routes: readonly Route[],
  baseUrl: string,
  words: ReferenceWords,
): Html {
  return html`<section aria-labelledby="${anchorOf(tag)}" class="reference-part stack">
<div class="stack stack-tight"><h2 class="heading" id="${anchorOf(tag)}">${words.texts.parts[tag]}</h2><p class="muted"${IN_ENGLISH}>${description}</p></div>
${routes.map((route) => operation(route, baseUrl, words))}
</section>
`;
}

/** One part in the contents: its name, and what is in it. */
function contentsOf(
  anchor: string,
  title: string,
  entries: readonly (readonly [id: string, name: Html | string])[],
): Html {
  return html`<li><a class="contents-part" href="#${anchor}">${title}</a>
${entries.length > 0 && html`<ul>${entries.map(([id, name]) => html`<li><a class="contents-entry" href="#${id}">${name}</a></li>\n`)}</ul>`}</li>
`;
}

function entryOf({ id, method, path }: Route): readonly [string, Html] {
  const short = path.replace(/^\/api\/v\d|^\/oauth\/v1|^\/devnet/, '');
  return [
    id,
    html`<span class="method method-${method} mono">${method.toUpperCase()}</span> <span class="mono">${short}</span>`,
  ];
}

/** Parts after which Webhooks and the error codes stand: what follows is for other software than an application's. */
const LAST_FOR_APPLICATIONS = 'Applications';

/** GET /api/reference */
export function referencePage(baseUrl: string, routes: readonly Route[]): TranslatedPage {
  const parts = (Object.entries(TAGS) as [keyof typeof TAGS, string][])
    .map(([tag, description]) => ({ tag, description, own: routes.filter((route) => route.tag === tag) }))
    .filter(({ own }) => own.length > 0);
  const split = parts.findIndex(({ tag }) => tag === LAST_FOR_APPLICATIONS) + 1;
  const shown = (from: number, to: number | undefined, what: (one: (typeof parts)[number]) => Html) =>
    parts.slice(from, to).map(what);
  return ({ reference: t, frame }) => {
    const words = { texts: t };
    const section = ({ tag, description, own }: (typeof parts)[number]) => part(tag, description, own, baseUrl, words);
    const contents = ({ tag, own }: (typeof parts)[number]) =>
      contentsOf(anchorOf(tag), t.parts[tag], own.map(entryOf));
    const basicEntries = BASICS.map(([id, name]) => [id, t[name]] as const);
    return {
      title: t.title,
      description: t.description,
      styles: ['/assets/reference.css'],
      scripts: ['/assets/copy-code.js', '/assets/reference.js'],
      scriptTexts: { ...frame.copying, found: t.found },
      full: true,
      main: html`
<div class="reference">
<nav class="contents" aria-label="${t.contentsLabel}">
<div class="field reference-search" hidden><label class="label visually-hidden" for="search">${t.searchLabel}</label><input class="input" id="search" type="search" placeholder="${t.search}" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"><p class="small muted" role="status" id="found"></p></div>
<details class="contents-fold" open><summary class="reference-label">${t.contents}</summary>
<ul class="contents-list">
${contentsOf('basics', t.basics, basicEntries)}${shown(0, split, contents)}${contentsOf(
        'webhooks',
        t.webhooks,
        WEBHOOK_EVENTS.map((type) => [eventId(type), html`<span class="mono">${type}</span>`] as const),
      )}${contentsOf('errors', t.errorCodes, [])}${shown(split, undefined, contents)}</ul></details>
</nav>
<div class="reference-body stack stack-loose">
<div class="stack stack-tight">
<h1 class="title">${t.title}</h1>
<p class="lead">${t.lead((text) => html`<a class="link" href="/api/openapi.json">${text}</a>`)}</p>
${t.inEnglish !== '' && html`<p class="muted">${t.inEnglish}</p>`}
<div class="cluster" id="languages" role="group" aria-label="${t.languages}" hidden><button type="button" class="button button-small" data-language="curl">curl</button><button type="button" class="button button-small" data-language="JavaScript">JavaScript</button></div>
</div>
${basics(baseUrl, words)}
${shown(0, split, section)}
${webhooks(words)}
${errors(routes, words)}
${shown(split, undefined, section)}
<p class="empty" id="none-found" hidden>${t.noneFound}</p>
</div>
</div>`,
    };
  };
}
