/** Copyable code samples, one set per route. A test runs all samples against the service. Pure. */
import { usualStatus, type Route } from '../../routing/route.ts';

/** A request in two languages, with variables for the reader's own values (token, credential, identifiers). */
export interface CodeSamples {
  /** For a shell. The values are environment variables. */
  curl: string;
  /** For a JavaScript module in a browser or Node. The values are module variables. */
  javascript: string;
}

export const shellName = (name: string) => name.replace(/[A-Z]/g, '_$&').toUpperCase();

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const isForm = ({ bodyType }: Route) => bodyType === 'application/x-www-form-urlencoded';

/** Returns the variable name of the token that a route requires, or null if none is required. */
function tokenOf({ by }: Route): string | null {
  if (by === 'anybody' || by === 'client' || by === 'person') return null;
  if (by === 'gateway') return 'callbackToken';
  return typeof by === 'string' ? 'walletToken' : 'accessToken';
}

/** Returns a route's samples, or null if only browsers call it. @param baseUrl the service's origin */
export function codeSamples(route: Route, baseUrl: string): CodeSamples | null {
  if (route.by === 'person') return null;
  return { curl: curl(route, baseUrl), javascript: javascript(route, baseUrl) };
}

function addressOf({ path, example }: Route, baseUrl: string, variable: (name: string) => string): string {
  const query = example?.query === undefined ? '' : `?${new URLSearchParams(example.query as Record<string, string>)}`;
  return baseUrl + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => variable(name)) + query;
}

function curl(route: Route, baseUrl: string): string {
  const { method, by, body, bodyType = 'application/json', once, example, answers } = route;
  const token = tokenOf(route);
  const sent = body && example?.body !== undefined ? example.body : null;
  const usual = sent === null ? 'get' : 'post';
  return [
    `curl "${addressOf(route, baseUrl, (name) => `$${shellName(name)}`)}"`,
    method !== usual && `-X ${method.toUpperCase()}`,
    answers[usualStatus(route)] === 'events' && '-N',
    by === 'client' && '-u "$CLIENT_IDENTIFIER:$CLIENT_SECRET"',
    token !== null && `-H "Authorization: Bearer $${shellName(token)}"`,
    once && '-H "Idempotency-Key: $IDEMPOTENCY_KEY"',
    ...(sent === null
      ? []
      : isForm(route)
        ? Object.entries(sent).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`)
        : [`-H "Content-Type: ${bodyType}"`, `-d ${quoted(JSON.stringify(sent, null, 2))}`]),
  ]
    .filter(Boolean)
    .join(' \\\n  ');
}

function javascript(route: Route, baseUrl: string): string {
  const { method, by, body, bodyType = 'application/json', once, example, answers } = route;
  const token = tokenOf(route);
  const address = addressOf(route, baseUrl, (name) => `\${${name}}`);
  const hasBody = body && example?.body !== undefined;
  const headers = [
    by === 'client' && 'Authorization: `Basic ${btoa(`${clientIdentifier}:${clientSecret}`)}`,',
    token !== null && `Authorization: \`Bearer \${${token}}\`,`,
    once && "'Idempotency-Key': crypto.randomUUID(),",
    hasBody && !isForm(route) && `'Content-Type': '${bodyType}',`,
  ].filter(Boolean);
  const text = hasBody ? indented(JSON.stringify(example.body, null, 2)) : '';
  const options = [
    method !== 'get' && `  method: '${method.toUpperCase()}',`,
    headers.length > 0 && `  headers: {\n${headers.map((line) => `    ${line}\n`).join('')}  },`,
    hasBody && `  body: ${isForm(route) ? `new URLSearchParams(${text})` : `JSON.stringify(${text})`},`,
  ].filter(Boolean);
  const answer = answers[usualStatus(route)];
  const reading =
    answer === null
      ? null
      : answer === 'events'
        ? 'for await (const bytes of response.body) console.log(new TextDecoder().decode(bytes));'
        : `const answer = await response.${typeof answer === 'string' ? 'text' : 'json'}();`;
  const quote = address.includes('${') ? '`' : "'";
  return [
    `const response = await fetch(${quote}${address}${quote}${options.length > 0 ? `, {\n${options.join('\n')}\n}` : ''});`,
    'if (!response.ok) throw new Error(await response.text());',
    ...(reading === null ? [] : [reading]),
  ].join('\n');
}

const indented = (text: string) => text.replaceAll('\n', '\n  ');
