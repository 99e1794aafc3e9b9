/**
 * The texts around the API reference in English. Other languages are next to it. The reference's content (summaries,
 * meanings,
 * examples) is in English in all of them.
 */
import { plural } from '../../figures.ts';
import { html, type Html } from '../../html.ts';

export const reference = {
  title: 'API reference',
  description: 'Every endpoint of the HTTP API: who can call it, what it takes and what it returns.',
  lead: (link: (text: string) => Html) =>
    html`Every endpoint of the HTTP API: who can call it, what it takes and what it returns. Also available as an ${link('OpenAPI 3.1 document')}.`,
  /** In other languages: a note that the descriptions are in English. */
  inEnglish: '',
  contents: 'Contents',
  contentsLabel: 'Contents of the reference',
  search: 'Search',
  searchLabel: 'Search the reference',
  /** Shown by the page's script. */
  found: 'Results: {count}',
  noneFound: 'Nothing found. Try a path, a field or an error code.',
  languages: 'Language of the examples',

  basics: 'Basics',
  authentication: 'Authentication',
  errors: 'Errors',
  anError: 'An error',
  lists: 'Lists',
  idempotency: 'Idempotency',
  limits: 'Rate limits',
  parts: {
    'API v2': 'API v2',
    OAuth: 'OAuth',
    Applications: 'Applications',
    'API v1': 'API v1',
    Wallets: 'Wallets',
    Paymail: 'Paymail',
    Network: 'Network',
    Devnet: 'Devnet',
  },
  webhooks: 'Webhooks',
  errorCodes: 'Error codes',
  allErrorCodes: 'All error codes',
  code: 'Code',
  status: 'Status',
  message: 'Message',

  scopes: 'Scopes',
  scope: 'Scope',
  grantedBy: 'Granted by',
  byUser: 'the user',
  bySecret: 'its client secret',
  allows: 'Allows the application to',

  callers: {
    anybody: 'Anyone',
    wallet: 'The wallet, with its own token',
    'any-wallet': 'The wallet, with its own token, or any wallet without one',
    owner: 'The wallet, with its own token, or this service’s own pages',
    person: 'The user’s browser',
    gateway: 'ARC, with the token this service gave it',
  },
  client: (parameter: Html) => html`An application, with ${parameter}, or with its secret (HTTP Basic)`,
  tokenWith: (scopes: readonly Html[]) =>
    html`A token with ${scopes.map((scope, i) => html`${i > 0 && ' or '}${scope}`)}`,
  /** Follows the list of callers. */
  stop: '.',
  takes: (header: Html) => html`Takes ${header}.`,
  inPath: 'In the path',
  query: 'Query',
  body: 'Body',
  bodyOf: (type: string) => `Body (${type})`,
  orBodyOf: (type: string) => `Or a body of ${type}`,
  response: (status: string | number) => `Response ${status}`,
  noBody: 'no body',
  unstructured: {
    events: 'server-sent events (text/event-stream)',
    page: 'a page (text/html)',
    text: 'plain text',
    redirect: 'a redirect',
  },
  errorList: (codes: readonly Html[]) => html`Errors: ${codes.map((code, i) => html`${i > 0 && ', '}${code}`)}.`,
  emptyObject: 'An empty object.',
  fields: plural('en', { one: '# field', other: '# fields' }),
  optional: 'optional',
};

/** All texts around the API reference in one language. */
export type ReferenceTexts = typeof reference;
