import { randomUUID } from 'node:crypto';
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { html } from '../../page/html.ts';
import { type Route } from '../../routing/route.ts';
import { MEANINGS } from '../reference/meanings.ts';
import { codeSamples } from '../reference/code-samples.ts';
import { useCalls, type Json } from './testing-openapi.ts';

/** Path prefixes under which every route served by Express must be declared. */
const DECLARED = /^\w+ \/(?:api\/v[12]|oauth|bsvalias|\.well-known)\//;

function routesOf({ stack }: { stack: any[] }): string[] {
  return stack.flatMap(({ route, handle }) => {
    if (!route) return handle?.stack ? routesOf(handle) : [];
    const methods = [...new Set<string>(route.stack.map((layer: any) => layer.method ?? 'all'))];
    return [route.path]
      .flat()
      .flatMap((path: string) => methods.map((method) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`));
  });
}

describe('the OpenAPI document', () => {
  const { app, CALLS, devnet } = useCalls();
  let document: Json;
  beforeAll(async () => {
    document = (await app.get('/api/openapi.json')).body;
  });

  it('describes exactly the served routes', () => {
    const served = routesOf(app.express.router).filter((route) => DECLARED.test(route) && !route.startsWith('all '));
    // Express doesn't expose mount paths. Devnet's own tests request its routers at these paths.
    const mounts = ['woc/v1/bsv/test', 'arcade', 'arc', 'chaintracks', 'ordinals', '1sat']
      .map((name) => `/devnet/${name}`)
      .concat('/devnet');
    const ofDevnet = devnet().routes.map(
      ({ method, path }) => `${method} ${mounts.reduce((rest, one) => rest.replace(one, ''), path)}`,
    );
    expect(routesOf(devnet().router as any).sort()).toEqual(ofDevnet.sort());
    const others = app.routes.filter(({ tag }) => tag !== 'Devnet');
    expect(served.sort()).toEqual(others.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('matches the specification’s own schema', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('declares version 3.1 of OpenAPI, and every reference resolves', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: app.baseUrl }] });
    const text = JSON.stringify(document);
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
      expect(document.components.schemas, name).toHaveProperty(name);
    for (const { id, method, path } of app.routes) expect(document.paths[path][method].operationId).toBe(id);
    expect(new Set(app.routes.map(({ id }) => id)).size).toBe(app.routes.length);
    expect(Object.keys(document.components.securitySchemes.oauth.flows.authorizationCode.scopes)).toHaveLength(6);
  });

  /** Copies a schema so that the copy rejects undocumented properties. */
  const closed = (schema: Json): Json => {
    if (Array.isArray(schema)) return schema.map(closed) as Json;
    if (typeof schema !== 'object' || schema === null) return schema;
    const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
    return schema.type === 'object' && schema.properties && schema.additionalProperties === undefined
      ? { ...inner, additionalProperties: false }
      : inner;
  };
  const schemaOf = (schema: Json): Json =>
    schema.anyOf
      ? { ...schema, anyOf: schema.anyOf.map(schemaOf) }
      : typeof schema.$ref === 'string'
        ? document.components.schemas[schema.$ref.split('/').at(-1) as string]
        : schema;
  /** Returns a value's schema violations, each with its path and message: `payments.0.userId: Invalid input`. */
  const misfits = (schema: Json, value: unknown): string[] =>
    (z.fromJSONSchema(closed(schemaOf(schema))).safeParse(value).error?.issues ?? []).map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    );

  it('every body and response has an example that matches its schema', () => {
    const all = [...Object.entries<Json>(document.paths), ...Object.entries<Json>(document.webhooks)];
    for (const [path, { parameters: _, ...methods }] of all) {
      for (const [method, { parameters = [], requestBody, responses }] of Object.entries<Json>(methods)) {
        const route = app.routes.find((one) => one.path === path && one.method === method);
        const hold = (what: string, { schema, example, examples }: Json) => {
          const values = examples ? Object.values<Json>(examples).map(({ value }) => value) : [example];
          for (const value of values) expect(misfits(schema, value), `${method} ${path}: ${what}`).toEqual([]);
        };
        for (const one of parameters) if ('example' in one) hold(one.name, one);
        const [body] = Object.values<Json>(requestBody?.content ?? {});
        if (body) hold('body', body);
        const [type, answer] = Object.entries<Json>(Object.values<Json>(responses)[0]?.content ?? {})[0] ?? [];
        if (route && type?.includes('json') && answer) hold('answer', answer);
      }
    }
  });

  it('matches what each call accepts and returns', async () => {
    const documented = new Map(app.routes.map((route) => [route.id, route]));
    expect(Object.keys(CALLS).sort()).toEqual([...documented.keys()].sort());
    for (const [id, make] of Object.entries(CALLS)) {
      const { method, path } = documented.get(id) as (typeof app.routes)[number];
      const described: Json = document.paths[path]?.[method];
      const { path: inPath = {}, query = {}, body, form, headers = {} } = await make();

      const allowed = new Map<string, Json>(
        described.parameters.map((one: Json) => [`${one.in} ${one.name}`, one.schema]),
      );
      const given = [
        ...Object.entries(inPath).map(([name, value]) => [`path ${name}`, value]),
        ...Object.entries(query).map(([name, value]) => [`query ${name}`, value]),
      ];
      if (headers['Idempotency-Key'] !== undefined) given.push(['header Idempotency-Key', headers['Idempotency-Key']]);
      for (const [name = '', value] of given)
        expect(misfits(allowed.get(name) ?? { not: {} }, value), `${id}: ${name}`).toEqual([]);
      const requestSchema = Object.values<Json>(described.requestBody?.content ?? {})[0]?.schema;
      if (requestSchema) expect(misfits(requestSchema, body ?? form), `${id}: body`).toEqual([]);
      else expect(body ?? form, `${id}: body`).toBeUndefined();

      const address =
        path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? '')) +
        (Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '');
      const answer = await app.send(method.toUpperCase(), address, form ? new URLSearchParams(form) : body, headers);
      expect([answer.status < 400, answer.status < 400 ? '' : answer.body], id).toEqual([true, '']);
      const response = described.responses[String(answer.status)];
      expect(response, `${id}: ${answer.status}`).toBeDefined();
      const [type, content] = Object.entries<Json>(response.content ?? {})[0] ?? [];
      if (type === undefined || !content) {
        expect(answer.body, id).toBe('');
        continue;
      }
      expect(answer.headers.get('content-type')?.split(';')[0], id).toBe(type);
      expect(misfits(content.schema, answer.body), `${id}: answer`).toEqual([]);
    }
  });

  it('describes every field and every parameter', () => {
    const unsaid = (where: string, schema: Json): string[] => [
      ...(schema.anyOf ?? []).flatMap((one: Json) => unsaid(where, one)),
      ...(schema.items ? unsaid(where, schema.items) : []),
      ...Object.entries<Json>(schema.properties ?? {}).flatMap(([name, value]) => [
        ...(value.description ? [] : [`${where}: ${name}`]),
        ...unsaid(`${where}: ${name}`, value),
      ]),
    ];
    const ofRoutes = Object.values<Json>(document.paths).flatMap((methods) =>
      Object.values<Json>(methods).flatMap(({ operationId, parameters, requestBody, responses }) => [
        ...parameters.flatMap((one: Json) =>
          one.description || one.schema.description ? [] : [`${operationId}: ${one.name}`],
        ),
        ...[requestBody, ...Object.values<Json>(responses)].flatMap((one) =>
          Object.values<Json>(one?.content ?? {}).flatMap(({ schema }) => unsaid(operationId, schema)),
        ),
      ]),
    );
    const shared = Object.entries<Json>(document.components.schemas).flatMap(([name, one]) => unsaid(name, one));
    expect([...new Set([...ofRoutes, ...shared])]).toEqual([]);

    const said = JSON.stringify(document);
    const unused = Object.entries(MEANINGS).filter(([, meaning]) => !said.includes(JSON.stringify(meaning)));
    expect(unused).toEqual([]);
  });

  it('matches the responses to unauthorized and malformed calls', async () => {
    for (const { id, method, path, by } of app.routes) {
      if (by === 'anybody') continue;
      const address = path.replaceAll(/\{\w+\}/g, randomUUID());
      const answer = await app.send(
        method.toUpperCase(),
        address,
        method === 'get' || method === 'delete'
          ? undefined
          : path.startsWith('/oauth/')
            ? new URLSearchParams({ token: 'x' })
            : {},
      );
      expect([400, 401], id).toContain(answer.status);
      const response = document.paths[path][method].responses[String(answer.status)];
      const [type, content] = Object.entries<Json>(response.content)[0] ?? ['', {}];
      expect(answer.headers.get('content-type')?.split(';')[0], id).toBe(type);
      expect(misfits((content as Json).schema, answer.body), `${id}: answer`).toEqual([]);
    }
  });

  it('has a page for each resource that shows every call, without inline code', async () => {
    const overview = String((await app.get('/api/reference')).body);
    const found = new Set<string>();
    const pages = new Map([['/api/reference', overview]]);
    for (const [, path = ''] of overview.matchAll(/class="contents-part" href="([^"]+)"/g))
      pages.set(path, String((await app.get(path)).body));
    expect(pages.size).toBeGreaterThan(15);
    for (const [path, body] of pages) {
      const { status, headers } = await app.get(path);
      expect([status, headers.get('content-security-policy')?.includes("default-src 'none'")], path).toEqual([
        200,
        true,
      ]);
      expect(body, path).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|undefined|\[object/);
      expect(body.length, path).toBeLessThan(200_000);
      for (const { id, path: served, summary } of app.routes.filter(({ id }) => body.includes(`id="${id}"`))) {
        found.add(id);
        expect(body, id).toContain(`>${served}<`);
        expect(body, id).toContain(html`${summary}`.toString());
        const route = app.routes.find((one) => one.id === id) as Route;
        for (const code of Object.values(codeSamples(route, app.baseUrl) ?? {}))
          expect(body, id).toContain(html`${code}`.toString());
      }
      for (const [, to = '', target = ''] of body.matchAll(/href="(\/api\/reference[^"#]*)?#([^"]+)"/g))
        if (target !== 'main') expect(pages.get(to || path), `${path}: ${to}#${target}`).toContain(`id="${target}"`);
    }
    expect([...found].sort()).toEqual(app.routes.map(({ id }) => id).sort());
    const order = [...pages.keys()];
    expect(order.indexOf('/api/reference/api-v2-payments')).toBeLessThan(
      order.indexOf('/api/reference/api-v1-payments'),
    );
    for (const file of ['reference.css', 'reference.js', 'copy-code.js'])
      expect((await app.get(`/assets/${file}`)).status, file).toBe(200);
  });

  it.each([
    ['token lifetime', '/api/reference#authentication'],
    ['webhook retry', '/api/reference/webhooks'],
    ['webhook retries', '/api/reference/webhooks'],
    ['/me/profile', '/api/reference/api-v2-users#readProfile'],
    ['idempotency-conflict', '/api/reference/errors'],
    ['rate limits', '/api/reference#limits'],
    ['payment.refunded', '/api/reference/webhooks#event-payment-refunded'],
    ['nextCursor', '/api/reference/api-v2-payments#listPayments'],
  ])('searches without a script: %s', async (query, url) => {
    const { body } = await app.get(`/api/reference/search?${new URLSearchParams({ q: query })}`);
    const results = [...String(body).matchAll(/class="list-row" href="([^"]+)"/g)].map(([, to]) => to);
    expect(results).toContain(url);
  });

  it('a search without results shows a message, and long queries are limited', async () => {
    const { body } = await app.get('/api/reference/search?q=xyzzy');
    expect(body).toContain('id="none-found"');
    expect((await app.get(`/api/reference/search?q=${'a '.repeat(1_000)}`)).status).toBe(200);
    expect((await app.get('/api/reference/search')).status).toBe(200);
    expect((await app.get('/api/reference/search?q=%3Cscript%3E')).body).not.toContain('<script>');
  });
});
