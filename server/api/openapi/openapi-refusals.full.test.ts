/** Sends malformed requests to every route. Each status must be declared, and each body must match its schema. */
import { request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Route } from '../../routing/route.ts';
import { useCalls, type Call, type Json } from './testing-openapi.ts';

interface RawAnswer {
  status: number;
  type: string;
  text: string;
}

function ask(
  origin: string,
  { method, path, headers, body }: { method: string; path: string; headers: Record<string, string>; body?: string },
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const request = httpRequest({ hostname, port, method, path, headers, setHost: true }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type']?.split(';')[0] ?? '',
          text,
        }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Invalid values for a path parameter. */
const PARAMETERS = ['x', '-1', '%E0%A4%A', '%00', 'é'.repeat(3), `${'a'.repeat(401)}@example.com`, '%F0%9F%92%A9'];
const BODIES = [
  '{',
  '[]',
  'null',
  '"x"',
  '{}',
  '{"__proto__":{}}',
  '{"unknown":1}',
  `${'['.repeat(200)}${']'.repeat(200)}`,
];
const HEADERS: Record<string, string>[] = [
  { authorization: 'Bearer \u00e9' },
  { authorization: 'Bearer' },
  { authorization: `Bearer ${'a'.repeat(43)}` },
  { authorization: 'Basic \u00e9' },
  { authorization: 'Basic eDp5' },
  { 'idempotency-key': 'short' },
  { 'content-encoding': 'compress' },
  { 'content-encoding': 'gzip' },
  { 'content-type': 'text/csv' },
  { 'content-type': 'application/json; charset=utf-16' },
  { origin: 'https://evil.example', cookie: 'session=x' },
];

describe('the OpenAPI document', () => {
  const { app, CALLS } = useCalls();
  let document: Json;
  beforeAll(async () => {
    document = (await app.get('/api/openapi.json')).body;
  });

  const schemaOf = (schema: Json): Json =>
    typeof schema.$ref === 'string' ? document.components.schemas[schema.$ref.split('/').at(-1) as string] : schema;

  function undeclared({ id, path, method }: Route, { status, type, text }: RawAnswer): string | null {
    const response = document.paths[path][method].responses[String(status)];
    if (!response) return `${id} ${status}`;
    const declared = response.content?.[type];
    if (!declared) return response.content || text !== '' ? `${id} ${status} ${type}: ${text.slice(0, 100)}` : null;
    if (!type.endsWith('json')) return null;
    const { error } = z.fromJSONSchema(schemaOf(declared.schema)).safeParse(JSON.parse(text));
    return error ? `${id} ${status}: ${error.message} ${text.slice(0, 200)}` : null;
  }

  it('declares every status with which a route rejects invalid requests', async () => {
    const found = new Set<string>();
    for (const route of app.routes) {
      const { id, method, path } = route;
      if (id === 'setFaults') continue;
      const { path: inPath = {}, query = {}, body, form, headers = {} }: Call = (await CALLS[id]?.()) ?? {};
      const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
      const right =
        body === undefined && form === undefined
          ? undefined
          : form
            ? `${new URLSearchParams(form)}`
            : JSON.stringify(body);
      const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      const pathOf = (wrong: Record<string, string> = {}) =>
        path.replaceAll(/\{(\w+)\}/g, (_, name: string) => wrong[name] ?? encodeURIComponent(inPath[name] ?? ''));
      const asked = `${new URLSearchParams(query)}`;
      const send = async (change: {
        path?: string;
        query?: string;
        body?: string | undefined;
        headers?: Record<string, string>;
      }) => {
        const sent = 'body' in change ? change.body : right;
        const answer = await ask(app.baseUrl, {
          method: method.toUpperCase(),
          path: `${change.path ?? pathOf()}?${change.query ?? asked}`,
          headers: {
            ...(sent !== undefined && { 'content-type': type, 'content-length': String(Buffer.byteLength(sent)) }),
            ...given,
            ...change.headers,
          },
          ...(sent !== undefined && { body: sent }),
        });
        const problem = undeclared(route, answer);
        if (problem !== null) found.add(`${problem} ← ${JSON.stringify(change).slice(0, 90)}`);
      };
      for (const wrong of HEADERS) await send({ headers: wrong });
      for (const name of [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))
        for (const value of PARAMETERS)
          await send({ path: pathOf({ [name]: value.includes('%') ? value : encodeURI(value) }) });
      for (const wrong of ['unknown=1', `${asked}&${asked}`, 'limit=x&limit=y', 'cursor=%00', 'access_token=x'])
        await send({ query: wrong });
      if (route.body) {
        for (const wrong of BODIES) await send({ body: wrong });
        await send({ body: undefined });
        await send({ body: JSON.stringify('x'.repeat(120_000)) });
      }
    }
    expect([...found]).toEqual([]);
  });
});
