import { describe, expect, test, vi } from 'vitest';
import { answering } from '../../testkit/network/answers.ts';
import { parseJson, send, withoutNetwork } from './http.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const tooLarge = expect.objectContaining({ code: 'too-large' }) as Error;
const unavailable = expect.objectContaining({ code: 'network-unavailable' }) as Error;

describe('a request', () => {
  test('a request contains its JSON and nothing that identifies the wallet', async () => {
    const { url, asked } = await answering({ status: 201, body: 'grüß' });
    expect(
      await send(wallet, `${url}/a?b=c`, { json: { x: 1 }, headers: { authorization: 'Bearer t' } }),
    ).toMatchObject({
      status: 201,
      text: 'grüß',
    });
    expect(await send(wallet, url)).toMatchObject({ status: 201 });
    expect(asked.map(({ method, url: path, body }) => [method, path, body])).toEqual([
      ['POST', '/a?b=c', '{"x":1}'],
      ['GET', '/', ''],
    ]);
    expect(asked[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: 'Bearer t',
    });
    for (const { headers } of asked)
      expect([headers.cookie, headers.referer, headers.origin]).toEqual([undefined, undefined, undefined]);
  });

  test.each([400, 404, 409, 461, 500, 503])('a response with status %i is returned', async (status) => {
    expect((await send(wallet, (await answering({ status, body: 'x' })).url)).status).toBe(status);
  });

  test('a request without a response fails with a specific code', async () => {
    await expect(send(wallet, 'http://127.0.0.1:1/')).rejects.toThrow(unavailable);
    await expect(send(wallet, 'http://127.0.0.1:1/', { unreachable: 'service-unavailable' })).rejects.toThrow(
      expect.objectContaining({ code: 'service-unavailable' }) as Error,
    );
    await expect(send(wallet, 'nonsense')).rejects.toThrow(unavailable);
  });

  test.each([
    ['never', () => undefined],
    [
      'with a head and no body',
      (_: unknown, response: { writeHead(n: number): void; flushHeaders(): void }) => {
        response.writeHead(200);
        response.flushHeaders();
      },
    ],
    [
      'drop by drop',
      (_: unknown, response: { write(t: string): void; on(e: string, f: () => void): void }) => {
        const timer = setInterval(() => response.write('x'), 5);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('a request ends in time if it is answered %s', async (_, answer) => {
    const { url } = await answering(((request: never, response: never) => answer(request, response)) as never);
    const deadline = vi.spyOn(AbortSignal, 'timeout');
    await expect(send(wallet, url, { timeoutMs: 100 })).rejects.toThrow(unavailable);
    expect(deadline.mock.calls).toEqual([[100]]);
    deadline.mockRestore();
  });

  test("a response over the limit fails, and one at the limit doesn't", async () => {
    const { url } = await answering({ body: 'x'.repeat(1000) });
    expect((await send(wallet, url, { maxBytes: 1000 })).text).toHaveLength(1000);
    await expect(send(wallet, url, { maxBytes: 999 })).rejects.toThrow(tooLarge);
    const endless = await answering(((
      _: never,
      response: { write(t: string): boolean; on(e: string, f: () => void): void },
    ) => {
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 1);
      response.on('close', () => clearInterval(timer));
    }) as never);
    await expect(send(wallet, endless.url, { maxBytes: 50_000 })).rejects.toThrow(tooLarge);
  });

  test('a truncated response fails', async () => {
    const { url } = await answering(((
      _: never,
      response: { writeHead(n: number, h: object): void; write(t: string, f: () => void): void; destroy(): void },
    ) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    }) as never);
    await expect(send(wallet, url)).rejects.toThrow(unavailable);
  });

  test('a request follows no redirect', async () => {
    const goal = await answering({ body: 'elsewhere' });
    const { url } = await answering({ status: 302, headers: { location: goal.url } });
    await expect(send(wallet, url)).rejects.toThrow(unavailable);
    expect(goal.asked).toEqual([]);
  });

  test('a character split between two chunks is decoded correctly', async () => {
    const bytes = Buffer.from('€'.repeat(10));
    const { url } = await answering(((
      _: never,
      response: { write(t: Uint8Array, f?: () => void): void; end(t: Uint8Array): void },
    ) => {
      response.write(bytes.subarray(0, 4), () => setImmediate(() => response.end(bytes.subarray(4))));
    }) as never);
    expect((await send(wallet, url)).text).toBe('€'.repeat(10));
  });
});

test('requests fail while work that forbids the network is in progress, and then succeed again', async () => {
  const { url, asked } = await answering({ body: 'here' });
  let end = () => {};
  const longer = withoutNetwork(wallet, () => new Promise<void>((resolve) => (end = resolve)));
  await withoutNetwork(wallet, async () => undefined);
  await expect(send(wallet, url)).rejects.toThrow(unavailable);
  expect(asked).toEqual([]);
  end();
  await longer;
  expect((await send(wallet, url)).text).toBe('here');
});

test('invalid JSON is treated as absent', () => {
  expect(['', '{', 'undefined', '<html>', "{'a':1}"].map(parseJson)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(parseJson('{"a":1}')).toEqual({ a: 1 });
});
