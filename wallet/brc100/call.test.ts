/** Pages' calls: argument errors are found before the user is prompted, and responses reveal no internals. */
import { PrivateKey, ProtoWallet } from '@bsv/sdk';
import { beforeEach, describe, expect, test } from 'vitest';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { brc100Arguments, type SupportedMethod } from '../../protocol/brc100/methods.ts';
import { PAYMENT_PROTOCOL_ID } from '../../protocol/messages/permission.ts';
import { BRC100_METHODS } from '../../protocol/messages/wire.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { openWallet } from '../../testkit/wallet/wallet.ts';
import { Profile } from '../../testkit/wallet/worker-run.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const network = useNetwork();

/** Grants or refuses permissions on the user's behalf. Other files test the windows. */
const permissions = { asked: [] as unknown[], isRefused: false };
beforeEach(() => {
  Object.assign(permissions, { asked: [], isRefused: false });
});

const SITE = { origin: 'https://app.example', message: 'm', client: {}, userActivation: 'none' } as const;

/** Runs a call in the current worker. */
async function answer(name: string, args: string, more: object = {}): Promise<any> {
  const { handleCall } = await import('./call.ts');
  const { brc100Handlers } = await import('./handlers.ts');
  const { keyMethods } = await import('./keys/key-methods.ts');
  const { ServiceError } = await import('../../protocol/errors/service-error.ts');
  const keys = keyMethods(wallet, {
    async permission(permission) {
      permissions.asked.push(permission);
      if (permissions.isRefused) throw new ServiceError('permission-refused');
    },
  });
  return handleCall(wallet, { call: name, args }, SITE, { ...brc100Handlers(wallet), ...keys, ...more });
}

async function call(method: SupportedMethod, args: object): Promise<any> {
  const { result, error } = await answer(method, JSON.stringify(args));
  return error ?? result;
}

const key = { protocolID: [1, 'tests of calls'], keyID: '1' };
const data = [1, 2, 3];
const stranger = PrivateKey.fromHex('05'.repeat(32)).toPublicKey().toString();

const SUPPORTED = Object.keys(brc100Arguments);
const unsupported = BRC100_METHODS.filter((method) => !SUPPORTED.includes(method));

describe('a call', () => {
  test('a call of an unsupported or unknown method returns an error', async () => {
    await openWallet(network, []);
    expect([unsupported.length, SUPPORTED.length]).toEqual([8, 20]);
    for (const name of [...unsupported, '', 'pay', '__proto__', 'constructor', 'toString', 'getPublicKey ']) {
      const { error } = (await answer(name, '{}')) as any;
      expect([name, error.code, error.name]).toEqual([name, 2, 'WERR_NOT_IMPLEMENTED']);
      if (!unsupported.includes(name as never))
        expect(error.description).toBe('This wallet doesn’t support this method.');
    }
    expect(permissions.asked).toEqual([]);
  });

  test("invalid arguments are reported in the reference code's order, before the user is prompted", async () => {
    await openWallet(network, []);
    const output = { lockingScript: '51', satoshis: 1, outputDescription: 'a thing' };
    const wrong: [SupportedMethod, unknown, string][] = [
      ['createAction', { description: 'four', outputs: [{}] }, 'description'],
      ['createAction', { description: 'x'.repeat(2001) }, 'description'],
      ['createAction', { description: 'a thing', outputs: [{ ...output, lockingScript: 'abc' }] }, 'lockingScript'],
      ['createAction', { description: 'a thing', outputs: [{ ...output, satoshis: -1 }] }, 'satoshis'],
      ['createAction', { description: 'a thing', outputs: [{ ...output, satoshis: 0.5 }] }, 'satoshis'],
      ['createAction', { description: 'a thing', outputs: [{ ...output, satoshis: 21e14 + 1 }] }, 'satoshis'],
      ['createAction', { description: 'a thing', outputs: [{ ...output, basket: ' ' }] }, 'basket'],
      ['createAction', { description: 'a thing', labels: ['x'.repeat(301)] }, 'labels'],
      ['createAction', { description: 'a thing', inputs: [{ outpoint: 'x.0' }] }, 'outpoint'],
      ['createAction', { description: 'a thing', inputBEEF: [1, 256] }, 'inputBEEF'],
      ['createAction', { description: 'a thing', outputs: Array.from({ length: 1001 }, () => output) }, 'outputs'],
      ['abortAction', { reference: '***' }, 'reference'],
      ['listActions', { labels: [], limit: 10_001 }, 'limit'],
      ['listActions', { labels: [], limit: 0 }, 'limit'],
      ['listActions', { labels: [], offset: -1 }, 'offset'],
      ['listOutputs', { basket: 'things', include: 'all' }, 'include'],
      ['relinquishOutput', { basket: 'things', output: 'x' }, 'output'],
      ['internalizeAction', { outputs: [], description: 'a thing', tx: [] }, 'outputs'],
      ['encrypt', { ...key, plaintext: 'text' }, 'plaintext'],
      ['encrypt', { ...key, plaintext: [NaN] }, 'plaintext'],
      ['encrypt', { ...key, plaintext: data, keyID: '' }, 'keyID'],
      ['encrypt', { ...key, plaintext: data, keyID: 'x'.repeat(801) }, 'keyID'],
      ['encrypt', { ...key, plaintext: data, protocolID: [3, 'tests of calls'] }, 'protocolID'],
      ['encrypt', { ...key, plaintext: data, protocolID: [1, 'four'] }, 'protocolID'],
      ['encrypt', { ...key, plaintext: data, protocolID: [1, 'x'.repeat(401)] }, 'protocolID'],
      ['encrypt', { ...key, plaintext: data, protocolID: [1, 'two  spaces'] }, 'protocolID'],
      ['encrypt', { ...key, plaintext: data, protocolID: [1, 'a protocol'] }, 'protocolID'],
      ['encrypt', { ...key, plaintext: data, protocolID: [1, 'ünicode'] }, 'protocolID'],
      ['encrypt', { ...key, plaintext: data, counterparty: 'somebody' }, 'counterparty'],
      ['encrypt', { ...key, plaintext: data, counterparty: `02${'ff'.repeat(32)}` }, 'counterparty'],
      ['encrypt', { ...key, plaintext: data, counterparty: `04${'11'.repeat(64)}` }, 'counterparty'],
      ['createSignature', key, 'data or hashToDirectlySign'],
      ['createSignature', { ...key, hashToDirectlySign: [1] }, 'hashToDirectlySign'],
      ['verifySignature', { ...key, data }, 'signature'],
      ['getHeaderForHeight', { height: -1 }, 'height'],
      ['getPublicKey', {}, 'args'],
      ['getVersion', [], 'args'],
      ['getVersion', 5, 'args'],
    ];
    for (const [method, args, parameter] of wrong) {
      const { error } = (await answer(method, JSON.stringify(args))) as any;
      expect([method, JSON.stringify(args)?.slice(0, 80), error?.code, error?.parameter]).toEqual([
        method,
        JSON.stringify(args)?.slice(0, 80),
        6,
        parameter,
      ]);
      expect(error.name).toBe('WERR_INVALID_PARAMETER');
      expect(error.description).toMatch(/^The .+ parameter must be ./);
    }
    expect((await answer('getVersion', 'no JSON')).error.code).toBe(6);
    expect(permissions.asked).toEqual([]);
  });

  test("arguments can't pollute a prototype", async () => {
    await openWallet(network, []);
    const texts = [
      '{"__proto__":{"identityKey":true}}',
      '{"constructor":{"prototype":{"identityKey":true}}}',
      '{"keyID":"1","__proto__":{"protocolID":[1,"tests of calls"]}}',
    ];
    for (const text of texts) expect(((await answer('getPublicKey', text)) as any).error.code).toBe(6);
    await answer('signAction', '{"reference":"abcd","spends":{"__proto__":{"unlockingScript":"00","polluted":1}}}');
    expect(({} as any).polluted).toBeUndefined();
  });

  test('the response to an internal error reveals nothing about it', async () => {
    await openWallet(network, []);
    const getVersion = () => Promise.reject(new Error('a secret of the inside'));
    const text = JSON.stringify(await answer('getVersion', '{}', { getVersion }));
    expect(JSON.parse(text).error).toMatchObject({ code: 1, name: 'WERR_INTERNAL', reason: 'internal' });
    expect(text).not.toContain('secret');
  });

  test('a call without a wallet is thrown to the router, which offers to set one up', async () => {
    await openWallet(network, []);
    const { ServiceError } = await import('../../protocol/errors/service-error.ts');
    const getHeight = () => Promise.reject(new ServiceError('wallet-not-set-up'));
    await expect(answer('getHeight', '{}', { getHeight })).rejects.toMatchObject({ code: 'wallet-not-set-up' });
  });
});

describe('a key', () => {
  const calls: [SupportedMethod, object][] = [
    ['getPublicKey', key],
    ['encrypt', { ...key, plaintext: data }],
    ['decrypt', { ...key, ciphertext: data }],
    ['createHmac', { ...key, data }],
    ['verifyHmac', { ...key, data, hmac: data }],
    ['createSignature', { ...key, data }],
    ['verifySignature', { ...key, data, signature: data }],
  ];

  test('every operation with a key needs the permission for the key’s protocol', async () => {
    await openWallet(network, []);
    permissions.isRefused = true;
    for (const [method, args] of calls) {
      permissions.asked = [];
      const refused = await call(method, args);
      expect(refused).toMatchObject({ code: 1, reason: 'permission-refused' });
      const counterparty = method === 'createSignature' ? 'anyone' : 'self';
      await call(method, { ...args, protocolID: [2, 'Tests of calls '] });
      await call(method, { ...args, protocolID: [2, 'tests of calls'], counterparty: stranger });
      const asked = { kind: 'protocol', protocol: 'tests of calls' };
      expect(permissions.asked).toEqual([
        { ...asked, level: 1, counterparty: null },
        { ...asked, level: 2, counterparty },
        { ...asked, level: 2, counterparty: stranger },
      ]);
    }
  });

  test('a key of level 0 needs only the permission to connect', async () => {
    await openWallet(network, []);
    permissions.isRefused = true;
    for (const [method, args] of calls) {
      permissions.asked = [];
      const result = await call(method, { ...args, protocolID: [0, 'tests of calls'] });
      expect(result).toMatchObject({ code: 1, reason: 'permission-refused' });
      expect(permissions.asked).toEqual([{ kind: 'connect' }]);
    }
  });

  test("the wallet's own keys are unavailable, at every level", async () => {
    await openWallet(network, []);
    for (const [method, args] of calls) {
      for (const level of [0, 1, 2])
        for (const name of ['admin things', 'Administration', 'p anything'])
          expect(await call(method, { ...args, protocolID: [level, name] })).toMatchObject({
            code: 1,
            reason: 'reserved-name',
          });
      expect(await call(method, { ...args, privileged: true })).toMatchObject({ code: 2 });
    }
    expect(permissions.asked).toEqual([]);
  });

  test("a key that may hold the wallet's money signs nothing for an application", async () => {
    await openWallet(network, []);
    const args = { protocolID: [...PAYMENT_PROTOCOL_ID], keyID: 'a b', counterparty: stranger, data };
    expect(await call('createSignature', args)).toMatchObject({ code: 6, parameter: 'protocolID' });
    expect(permissions.asked).toEqual([]);
    expect(await call('getPublicKey', args)).toMatchObject({ publicKey: expect.any(String) });
  });

  test('the identity key needs a separate permission, and its counterparties can use the keys derived from it', async () => {
    await openWallet(network, []);
    const { publicKey } = await call('getPublicKey', { identityKey: true });
    expect(permissions.asked).toEqual([{ kind: 'identity' }]);
    expect(publicKey).toMatch(/^0[23][0-9a-f]{64}$/);
    // The counterparty can decrypt and verify this wallet's output.
    const other = new ProtoWallet(PrivateKey.fromHex('05'.repeat(32)));
    const shared = { protocolID: [2, 'letters of tests'] as [2, string], keyID: 'one' };
    const { ciphertext } = await call('encrypt', { ...shared, plaintext: data, counterparty: stranger });
    const read = await other.decrypt({ ...shared, ciphertext, counterparty: publicKey });
    expect(read.plaintext).toEqual(data);
    const { hmac } = await other.createHmac({ ...shared, data, counterparty: publicKey });
    expect(await call('verifyHmac', { ...shared, data, hmac, counterparty: stranger })).toEqual({ valid: true });
    const { signature } = await other.createSignature({ ...shared, data, counterparty: publicKey });
    const valid = { ...shared, data, signature, counterparty: stranger };
    expect(await call('verifySignature', valid)).toEqual({ valid: true });
    expect(await call('verifySignature', { ...valid, data: [9] })).toMatchObject({ code: 4 });
    expect(await call('verifyHmac', { ...shared, data: [9], hmac, counterparty: stranger })).toMatchObject({
      code: 3,
    });
  });
});

describe('methods that need no permission', () => {
  test('getVersion, getNetwork and isAuthenticated return a result without a wallet', async () => {
    await new Profile(network.url).start();
    expect(await call('getVersion', {})).toEqual({
      version: expect.stringMatching(/^service-button-\d+\.\d+\.\d+$/),
    });
    expect(await call('getNetwork', {})).toEqual({ network: 'testnet' });
    expect(await call('isAuthenticated', {})).toEqual({ authenticated: false });
    expect(await call('getHeight', {})).toMatchObject({ code: 1, name: 'WERR_NETWORK_CHAIN' });
  });

  test('getHeight and getHeaderForHeight show the chain that the wallet follows, with headers of 80 bytes', async () => {
    const run = await openWallet(network, [1_000_000]);
    const { followChain } = await import('../chain/headers/follow.ts');
    const { networkInfo } = await import('../chain/network.ts');
    await followChain(wallet, await networkInfo(wallet));
    const { height } = await call('getHeight', {});
    const { header } = await call('getHeaderForHeight', { height });
    expect(header).toMatch(/^[0-9a-f]{160}$/);
    const { txidOf } = await import('../../protocol/bitcoin/transaction.ts');
    const { fromHex } = await import('../../protocol/bitcoin/bytes.ts');
    const database = await run.modules.database.database(wallet);
    expect((await database.get('headers', txidOf(fromHex(header))))?.height).toBe(height);
    expect(await call('getHeaderForHeight', { height: height + 1 })).toMatchObject({
      code: 6,
      parameter: 'height',
    });
    expect(toHex(fromHex(header))).toBe(header);
    expect(await call('isAuthenticated', {})).toEqual({ authenticated: false });
    expect(permissions.asked).toEqual([]);
  });
});
