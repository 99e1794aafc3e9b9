import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { usualStatus, type Route } from '../../routing/route.ts';
import { codeSamples, shellName, type CodeSamples } from '../reference/code-samples.ts';
import { useCalls, type Call } from './testing-openapi.ts';

const AsyncFunction = (async () => {}).constructor as new (
  ...code: string[]
) => (...values: unknown[]) => Promise<unknown>;

describe('the OpenAPI document', () => {
  const { app, CALLS, shop } = useCalls();

  const variablesOf = ({ path = {}, headers = {} }: Call): Record<string, string> => {
    const token = headers.Authorization?.replace('Bearer ', '') ?? '';
    return {
      ...path,
      ...Object.fromEntries(['accessToken', 'walletToken', 'callbackToken'].map((name) => [name, token])),
      clientIdentifier: shop().clientIdentifier,
      clientSecret: shop().clientSecret,
      idempotencyKey: randomUUID(),
    };
  };
  /** Returns the route with a real call's body as its example, because the usual example's key or code is made up. */
  const withBodyOf = (route: Route, { body, form }: Call): Route =>
    body === undefined && form === undefined ? route : { ...route, example: { ...route.example, body: body ?? form } };

  it.each(['start/application', 'guides/test-on-devnet'])('the curl commands in docs/%s.md succeed', async (page) => {
    const text = await readFile(new URL(`../../../docs/${page}.md`, import.meta.url), 'utf8');
    const blocks = [...text.matchAll(/^```sh\n(curl [^]*?)^```$/gm)].map(([, code = '']) =>
      code
        .replaceAll(/https:\/\/pay\.example|http:\/\/localhost:3000/g, app.baseUrl)
        .replaceAll('curl ', 'curl -sS --fail-with-body '),
    );
    expect(blocks.length).toBeGreaterThan(0);
    const { clientIdentifier, clientSecret } = shop();
    const env = { ...process.env, CLIENT_IDENTIFIER: clientIdentifier, CLIENT_SECRET: clientSecret, TOKEN: '' };
    for (const block of blocks) {
      const { stdout } = await promisify(execFile)('sh', ['-euc', block], { env });
      env.TOKEN = /"access_token":"([^"]+)"/.exec(stdout)?.[1] ?? env.TOKEN;
    }
  });

  it('the example commands and programs for each route run successfully', async () => {
    for (const route of app.routes) {
      const shown = codeSamples(route, app.baseUrl);
      if (!shown) continue;
      const answers = route.answers[usualStatus(route)];
      const isStructured = answers !== null && typeof answers !== 'string';

      const forShell = (await CALLS[route.id]?.()) ?? {};
      const { curl } = codeSamples(withBodyOf(route, forShell), app.baseUrl) as CodeSamples;
      const variables = Object.entries(variablesOf(forShell)).map(([name, value]) => [shellName(name), value]);
      const { stdout } = await promisify(execFile)('sh', ['-c', curl.replace('curl ', 'curl -sS --fail-with-body ')], {
        env: { ...process.env, ...Object.fromEntries(variables) },
        maxBuffer: 10_000_000,
      }).catch((error: { stdout: string; message: string }) => {
        throw new Error(`${route.id}: ${error.message}\n${error.stdout}\n${curl}`);
      });
      const schema = isStructured ? (answers as z.ZodType) : null;
      if (schema) expect(schema.safeParse(JSON.parse(stdout)).error, `${route.id}: ${stdout}`).toBeUndefined();

      const forProgram = (await CALLS[route.id]?.()) ?? {};
      const { javascript } = codeSamples(withBodyOf(route, forProgram), app.baseUrl) as CodeSamples;
      const values = variablesOf(forProgram);
      const run = new AsyncFunction(
        'console',
        ...Object.keys(values),
        `${javascript}\nreturn typeof answer === 'undefined' ? null : answer;`,
      );
      const answer: unknown = await run({ log() {} }, ...Object.values(values)).catch((error: Error) => {
        throw new Error(`${route.id}: ${error.message}\n${javascript}`);
      });
      if (schema) expect(schema.safeParse(answer).error, route.id).toBeUndefined();
    }
  });
});
