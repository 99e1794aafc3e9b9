import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { testServer, WOC } from '../test-server.ts';

const hashOf = (bytes: Buffer) => {
  const once = createHash('sha256').update(bytes).digest();
  return createHash('sha256').update(once).digest().reverse().toString('hex');
};

test('chaintracks returns the same headers as WhatsOnChain', async () => {
  const server = await testServer();
  await server.post('/mine', { blocks: 2 });
  const tip = (await server.get('/chaintracks/v2/tip')).body;
  const shown = (await server.get(`${WOC}/block/${tip.height}/header`)).body;
  expect(tip).toEqual({
    hash: shown.hash,
    height: shown.height,
    version: shown.version,
    previousHash: shown.previousblockhash,
    merkleRoot: shown.merkleroot,
    time: shown.time,
    bits: Number.parseInt(shown.bits, 16),
    nonce: shown.nonce,
  });
  expect((await server.get(`/chaintracks/v2/header/hash/${tip.hash}`)).body).toEqual(tip);
  expect((await server.get(`/chaintracks/v2/header/height/${tip.height}`)).body).toEqual(tip);
  expect((await server.get('/chaintracks/v2/height')).body).toEqual({ height: tip.height });
  expect((await server.get('/chaintracks/v2/header/height/0')).body.previousHash).toBe('0'.repeat(64));
});

test('chaintracks sends headers as 80 bytes each', async () => {
  const server = await testServer();
  await server.post('/mine', { blocks: 2 });
  const { height, hash } = (await server.get('/chaintracks/v2/tip')).body;
  const bytes = async (path: string) =>
    Buffer.from(await (await fetch(`${server.url}/chaintracks/v2${path}`)).arrayBuffer());
  expect(hashOf(await bytes('/tip.bin'))).toBe(hash);
  expect(await bytes(`/header/height/${height}.bin`)).toEqual(await bytes('/tip.bin'));
  const both = await bytes(`/headers?height=${height - 1}&count=5`);
  expect([both.length, hashOf(both.subarray(80))]).toEqual([160, hash]);
});

test.each(['/v2/header/height/1000000', '/v2/header/height/x', `/v2/header/hash/${'ab'.repeat(32)}`, '/v2/nothing'])(
  'chaintracks returns 404 at %s',
  async (path) => {
    const server = await testServer();
    expect((await server.get(`/chaintracks${path}`)).status).toBe(404);
  },
);
