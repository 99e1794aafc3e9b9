/**
 * Fuzzes bodies and queries for the service's routes: `[route, body]`. The database must be able to store accepted
 * values and return them unchanged.
 */
import { createApp } from '../../server/app.ts';
import { isStorable, readBody } from '../../server/http/body.ts';
import { assertModest } from '../../server/http/json-limits.ts';
import { readParameters } from '../../server/oauth/parameters.ts';
import type { Route } from '../../server/routing/route.ts';
import { must, mustEqual, orRefusal, target, textOf } from '../target.ts';
import { jsonOf, readings } from './testing-schemas.ts';

/** Replaces dependencies that parsing a body doesn't need. */
const nothing: never = new Proxy(() => undefined, {
  get: (_, name) => (name === 'then' ? undefined : name === Symbol.toPrimitive ? () => '' : nothing),
  apply: () => nothing,
}) as never;

function routes(): Map<string, Route> {
  const addresses = { baseUrl: 'http://localhost:3000', secure: false, ratesUrl: null };
  const known: Record<string, unknown> = {
    addresses,
    settings: nothing,
    network: 'devnet',
    distDirectory: '/',
    devnet: null,
  };
  const dependencies = new Proxy(known, {
    get: (_, name: string) => (Object.hasOwn(known, name) ? known[name] : nothing),
  }) as object;
  const { locals } = createApp(dependencies as Parameters<typeof createApp>[0]) as unknown as {
    locals: { routes: Route[] };
  };
  return new Map(locals.routes.map((route) => [route.id, route]));
}
const ROUTES = routes();

export default target({
  form: 'json',
  seeds: () =>
    [...ROUTES.values()].flatMap(({ id, example }) =>
      [example?.body, example?.query].flatMap((given) => (given === undefined ? [] : [JSON.stringify([id, given])])),
    ),
  read: (input) => {
    const text = textOf(input);
    if (orRefusal(['invalid-request'], () => (assertModest(text), true)) === null) return null;
    const form = readParameters(text);
    const given = jsonOf(input);
    if (!Array.isArray(given)) return null;
    const [id, body] = given as unknown[];
    const { body: schema, query } = ROUTES.get(String(isText(id) ? id : '')) ?? {};
    const read = schema
      ? orRefusal(['invalid-request', 'invalid-handle'], () => ({ body: readBody(schema, body) }))
      : null;
    return { schema, read, form, query: query ? readings({ query }, body) : null };
  },
  check: ({ schema, read, form }) => {
    must(
      form.repeated.every((name) => form.get(name) === undefined),
      'accepted a repeated parameter',
    );
    if (!read || !schema) return;
    must(isStorable(read.body), 'accepted text that PostgreSQL can’t store');
    readings({ schema }, read.body);
    mustEqual(readBody(schema, read.body), read.body, 'read differently');
  },
});

const isText = (value: unknown): value is string => typeof value === 'string';
