import { describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { ObjectStore } from '../../testkit/database/source.ts';
import { answering } from '../../testkit/network/answers.ts';
import { NOBODY, handlers, create, party, start } from './testing-network.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const ARCADES = [
  'https://arcade-v2-us-1.bsvblockchain.tech',
  'https://arcade-us-1.bsvb.tech',
  'https://arcade.gorillapool.io',
];
const MAIN = { arcUrl: 'https://arc.gorillapool.io', wocUrl: 'https://api.whatsonchain.com/v1/bsv/main' };
const unused = (url: string) => ({ url, dialect: null, hasKey: false, failure: null });

describe('the network', () => {
  test('devnet is found as the service once reported it, even if the service is gone later', async () => {
    const { url, urls, state, paths } = await party();
    const workerRun = await start(url);
    await create(workerRun);
    state.down = true;
    const { networkInfo } = await import('./network.ts');
    expect(await networkInfo(wallet)).toEqual({ network: 'devnet', serviceUrl: url, ...urls, otherArcUrls: [] });
    expect(paths().filter((path) => path === '/api/v2/network')).toHaveLength(1);
  });

  test('a public network is found without the service', async () => {
    const { url, paths } = await party();
    const workerRun = await start(url);
    const { networkInfo } = await import('./network.ts');
    await workerRun.modules.database.writeKey(wallet, 'settings', { network: 'mainnet' });
    expect(await networkInfo(wallet)).toEqual({
      network: 'mainnet',
      serviceUrl: url,
      ...MAIN,
      otherArcUrls: ARCADES,
      headersUrl: 'https://arcade-v2-us-1.bsvblockchain.tech/chaintracks',
    });
    await workerRun.modules.database.writeKey(wallet, 'settings', {
      network: 'mainnet',
      wocUrl: 'https://woc.example/main',
    });
    expect(await networkInfo(wallet)).toMatchObject({ arcUrl: MAIN.arcUrl, wocUrl: 'https://woc.example/main' });
    // The user's own operator comes first, then the network's.
    await workerRun.modules.database.writeKey(wallet, 'settings', {
      network: 'mainnet',
      arcUrl: 'https://arc.example',
      wocUrl: 'https://woc.example/main',
    });
    expect(await networkInfo(wallet)).toMatchObject({
      arcUrl: 'https://arc.example',
      otherArcUrls: [MAIN.arcUrl, ...ARCADES],
    });
    await workerRun.modules.database.writeKey(wallet, 'settings', {
      network: 'mainnet',
      wocUrl: 'https://woc.example/main',
    });
    expect(await handlers(workerRun)['network/read']({})).toEqual({
      network: 'mainnet',
      arcUrl: null,
      wocUrl: 'https://woc.example/main',
      operators: [MAIN.arcUrl, ...ARCADES].map(unused),
      hasIndexKey: false,
      preset: MAIN,
      fromService: false,
    });
    expect(paths()).toEqual([]);
  });

  test('operators can be used after the database failed once', async () => {
    await start((await party()).url);
    const { operatorFailures } = await import('./operators.ts');
    vi.spyOn(ObjectStore.prototype, 'get').mockImplementationOnce(() => {
      throw new DOMException('', 'UnknownError');
    });
    await expect(operatorFailures(wallet)).rejects.toThrow();
    expect((await operatorFailures(wallet)).get(MAIN.arcUrl)).toBeUndefined();
  });

  test("devnet isn't found if the service never responded, or if the service is on another network", async () => {
    const { url, state } = await party({ down: true });
    const workerRun = await start(url);
    await workerRun.modules.database.writeKey(wallet, 'settings', { network: 'devnet' });
    const { networkInfo } = await import('./network.ts');
    expect(await codeOf(networkInfo(wallet))).toBe('service-unavailable');
    Object.assign(state, { down: false, network: 'mainnet' });
    expect(await codeOf(networkInfo(wallet))).toBe('wrong-network');
  });
});

describe('a fresh install', () => {
  test('no wallet is created before a network has been chosen', async () => {
    const { url, urls, state } = await party({ down: true, network: 'mainnet' });
    const other = await party();
    const workerRun = await start(url);
    expect(await codeOf(create(workerRun))).toBe('service-unavailable');
    expect(await workerRun.modules.vault.vaultStatus(wallet)).toMatchObject({ exists: false });
    await handlers(workerRun)['network/choose']({ network: 'devnet', ...other.urls });
    Object.assign(state, { down: false });
    await create(workerRun); // keeps the user's choice, regardless of the service
    expect(await handlers(workerRun)['settings/read']({})).toMatchObject({ network: 'devnet', ...other.urls });
    expect(urls).not.toEqual(other.urls);
  });
});

describe('a manually chosen network', () => {
  test('a network is stored once both of its interfaces responded, with addresses reduced to their base', async () => {
    const { url, urls, paths } = await party();
    const workerRun = await start(NOBODY);
    await handlers(workerRun)['network/choose']({
      network: 'devnet',
      arcUrl: `${url.replace('127.0.0.1', 'LOCALHOST')}/arc///`,
      wocUrl: `${url}/woc/`,
    });
    const arcUrl = urls.arcUrl.replace('127.0.0.1', 'localhost');
    expect(await handlers(workerRun)['network/read']({})).toEqual({
      network: 'devnet',
      arcUrl,
      wocUrl: urls.wocUrl,
      operators: [{ ...unused(arcUrl), dialect: 'arc' }],
      hasIndexKey: false,
      preset: null,
      fromService: false,
    });
    expect([...new Set(paths())].sort()).toEqual(['/arc/policy', '/arc/v1/policy', '/woc/chain/info']);
  });

  test('a network isn’t stored if one of its interfaces responds incorrectly', async () => {
    const { urls, state } = await party({ fee: { satoshis: -1, bytes: 0 } });
    const workerRun = await start(NOBODY);
    const choose = (given: object) =>
      codeOf(handlers(workerRun)['network/choose']({ network: 'devnet', ...urls, ...given }));
    expect(await choose({})).toBe('network-unavailable');
    delete state.fee;
    expect(await choose({ arcUrl: NOBODY })).toBe('network-unavailable');
    expect(await choose({ wocUrl: NOBODY })).toBe('network-unavailable');
    expect(await choose({ wocUrl: urls.arcUrl.replace('/arc', '') })).toBe('none');
    expect(await choose({ arcUrl: null })).toBe('service-unavailable'); // only the service has the operator's URL
  });

  test.each([
    ['main', 'wrong-network'],
    ['stn', 'wrong-network'],
    ['test', 'none'],
    [undefined, 'none'],
    [null, 'none'],
  ])('choosing testnet with a chain named %s ends with the error code: %s', async (chain, code) => {
    const { urls } = await party({ chain });
    const workerRun = await start(NOBODY);
    expect(await codeOf(handlers(workerRun)['network/choose']({ network: 'testnet', ...urls }))).toBe(code);
    expect((await handlers(workerRun)['settings/read']({})).network).toBe(code === 'none' ? 'testnet' : 'devnet');
  });

  test("only the addresses can differ from the wallet's network", async () => {
    const { url, urls } = await party();
    const other = await party();
    const workerRun = await start(url);
    await create(workerRun);
    expect(await codeOf(handlers(workerRun)['network/choose']({ network: 'testnet', ...other.urls }))).toBe(
      'wrong-network',
    );
    await handlers(workerRun)['network/choose']({ network: 'devnet', ...other.urls });
    const { networkInfo } = await import('./network.ts');
    expect(await networkInfo(wallet)).toMatchObject(other.urls);
    await handlers(workerRun)['network/choose']({ network: 'devnet', arcUrl: null, wocUrl: null });
    expect(await networkInfo(wallet)).toMatchObject(urls);
    expect(await handlers(workerRun)['network/read']({})).toEqual({
      network: 'devnet',
      arcUrl: null,
      wocUrl: null,
      operators: [{ ...unused(urls.arcUrl), dialect: 'arc' }],
      hasIndexKey: false,
      preset: null,
      fromService: true,
    });
  });

  test('a network is rejected if a wallet was created on another while its addresses were checked', async () => {
    const { url } = await party();
    const workerRun = await start(url);
    const slow = await answering(async (_request, response) => {
      await create(workerRun);
      response.end('{"blocks":1,"bestblockhash":"' + 'ab'.repeat(32) + '"}');
    });
    const { arcUrl } = (await party()).urls;
    expect(await codeOf(handlers(workerRun)['network/choose']({ network: 'testnet', arcUrl, wocUrl: slow.url }))).toBe(
      'wrong-network',
    );
    expect(await handlers(workerRun)['settings/read']({})).toMatchObject({
      network: 'devnet',
      arcUrl: null,
      wocUrl: null,
    });
  });

  test('a service that responds late doesn’t replace the one that the user has chosen since', async () => {
    const { url } = await party();
    const later = await party();
    const workerRun = await start(url);
    await create(workerRun);
    const slow = await answering(async (_request, response) => {
      await handlers(workerRun)['settings/change']({ serviceUrl: later.url });
      const feePolicy = { satoshis: 100, bytes: 1000 };
      response.end(JSON.stringify({ network: 'devnet', ...later.urls, feePolicy }));
    });
    expect(await codeOf(handlers(workerRun)['settings/change']({ serviceUrl: slow.url }))).toBe('busy');
    expect((await handlers(workerRun)['settings/read']({})).serviceUrl).toBe(later.url);
  });

  test('each address gets only its own key, and the index gets it in its own form', async () => {
    const { url, urls, asked } = await party();
    const workerRun = await start(url);
    await create(workerRun);
    const { 'network/choose': choose, 'network/read': read } = handlers(workerRun);
    const keysSent = async (ask: () => Promise<unknown>) => {
      asked.length = 0;
      await ask();
      const sent = asked
        .filter(({ headers }) => headers.authorization !== undefined)
        .map(({ url: path, headers }) => `${path.split('/')[1]} ${headers.authorization}`);
      return [...new Set(sent)].sort();
    };
    const both = { network: 'devnet' as const, ...urls, arcKey: 'key-of-arc', wocKey: 'key-of-index' };
    expect(await keysSent(() => choose(both))).toEqual(['arc Bearer key-of-arc', 'woc key-of-index']);
    expect(await read({})).toMatchObject({ operators: [{ hasKey: true }], hasIndexKey: true });
    const { chainTip } = await import('./whats-on-chain.ts');
    expect(await keysSent(() => chainTip(wallet, urls.wocUrl))).toEqual(['woc key-of-index']);
    // Only one of the two keys changes.
    const other = { network: 'devnet' as const, ...urls, arcKey: 'another' };
    expect(await keysSent(() => choose(other))).toEqual(['arc Bearer another', 'woc key-of-index']);
    const stored = JSON.stringify(
      await workerRun.modules.database.readKey(wallet, 'operatorKeys'),
      (_, value: unknown) => (value instanceof Uint8Array ? new TextDecoder().decode(value) : value),
    );
    expect(stored).toContain(urls.wocUrl);
    expect(stored).not.toContain('key-of-index');
    await workerRun.modules.vault.lock(wallet);
    expect(await keysSent(() => chainTip(wallet, urls.wocUrl))).toEqual([]);
    const none = { network: 'devnet' as const, arcUrl: null, wocUrl: null, arcKey: null, wocKey: null };
    await choose(none);
    expect(await read({})).toMatchObject({ operators: [{ hasKey: false }], hasIndexKey: false });
  });

  test('the fee is requested from new addresses immediately', async () => {
    const { url } = await party({ fee: { satoshis: 100, bytes: 1000 } });
    const other = await party({ fee: { satoshis: 7, bytes: 1000 } });
    const workerRun = await start(url);
    await create(workerRun);
    const { feeRate } = await import('./network.ts');
    expect(await feeRate(wallet)).toEqual({ satoshis: 100, bytes: 1000 });
    await handlers(workerRun)['network/choose']({ network: 'devnet', ...other.urls });
    expect(await feeRate(wallet)).toEqual({ satoshis: 7, bytes: 1000 });
    // Counts only fee requests, because the new network also receives others.
    const asks = () => other.paths().filter((path) => path === '/arc/v1/policy');
    const before = asks();
    expect(await feeRate(wallet)).toEqual({ satoshis: 7, bytes: 1000 });
    expect(asks()).toEqual(before);
  });

  test.each([
    { fee: { satoshis: 0, bytes: 1000 }, paid: { satoshis: 1, bytes: 1000 }, final: { satoshis: 100, bytes: 1000 } },
    { fee: { satoshis: 99, bytes: 1000 }, paid: { satoshis: 99, bytes: 1000 }, final: { satoshis: 100, bytes: 1000 } },
    { fee: { satoshis: 1, bytes: 10 }, paid: { satoshis: 1, bytes: 10 }, final: { satoshis: 1, bytes: 10 } },
    {
      fee: { satoshis: 101, bytes: 1000 },
      paid: { satoshis: 101, bytes: 1000 },
      final: { satoshis: 101, bytes: 1000 },
    },
  ])(
    'a reported fee of $fee.satoshis satoshis per $fee.bytes bytes is paid as $paid.satoshis, or $final.satoshis if the transaction can’t be replaced',
    async ({ fee, paid, final }) => {
      const { url } = await party({ fee });
      const workerRun = await start(url);
      await create(workerRun);
      const { feeRate, finalFeeRate } = await import('./network.ts');
      expect([await feeRate(wallet), await finalFeeRate(wallet)]).toEqual([paid, final]);
      expect(await feeRate(wallet)).toEqual(paid); // from the stored policy
    },
  );

  test('choosing another service before there is a wallet also selects its network and removes manual addresses', async () => {
    const { urls } = await party();
    const main = await party({ network: 'mainnet' });
    const workerRun = await start(NOBODY);
    workerRun.profile.hosts.set('https://pay.example', main.url).set('https://down.example', main.url);
    await handlers(workerRun)['network/choose']({ network: 'devnet', ...urls });
    expect(await handlers(workerRun)['settings/change']({ serviceUrl: 'https://pay.example/' })).toMatchObject({
      network: 'mainnet',
      arcUrl: null,
      wocUrl: null,
      serviceUrl: 'https://pay.example',
    });
    main.state.down = true;
    expect(await codeOf(handlers(workerRun)['settings/change']({ serviceUrl: 'https://down.example' }))).toBe(
      'service-unavailable',
    );
    expect((await handlers(workerRun)['settings/read']({})).serviceUrl).toBe('https://pay.example');
  });
});

describe('another service', () => {
  test.each([
    '',
    'shop',
    'http://shop.example',
    'https://shop.example/path',
    'https://shop.example?x',
    'https://shop.example#',
    'https://user:pass@shop.example',
    'javascript:alert(1)',
  ])('a change of the service to %j is rejected without a request', async (serviceUrl) => {
    const workerRun = await start(NOBODY);
    const before = await handlers(workerRun)['settings/read']({});
    workerRun.crashPoints.length = 0;
    expect(await codeOf(handlers(workerRun)['settings/change']({ serviceUrl }))).toBe('invalid-service-address');
    expect(workerRun.crashPoints.filter((point) => /GET|writing/.test(point))).toEqual([]);
    expect(await handlers(workerRun)['settings/read']({})).toEqual(before);
  });

  test.each<[string, 'service-unavailable' | 'not-a-service' | 'wrong-network' | 'invalid-service-address']>([
    ['where nobody answers', 'service-unavailable'],
    ['where something else answers', 'not-a-service'],
    ['on another network', 'wrong-network'],
    ['of a public network on this machine', 'invalid-service-address'],
  ])('a change to a service %s is rejected, and the account stays', async (where, code) => {
    const own = await party();
    const main = await party({ network: 'mainnet' });
    const workerRun = await start(own.url);
    await create(workerRun);
    const account = { id: '75101', handle: 'alice', paymail: 'alice@localhost', name: '' };
    await workerRun.modules.database.writeKey(wallet, 'account', account);
    workerRun.profile.hosts.set('https://main.example', main.url).set('https://else.example', `${own.url}/elsewhere`);
    const addresses: Record<string, string> = {
      'where nobody answers': 'https://nobody.example',
      'where something else answers': 'https://else.example',
      'on another network': 'https://main.example',
      'of a public network on this machine': main.url,
    };
    const serviceUrl = addresses[where] as string;
    expect(await codeOf(handlers(workerRun)['settings/change']({ serviceUrl, noAccount: false }))).toBe(code);
    expect(await workerRun.modules.database.readKey(wallet, 'account')).toEqual(account);
    expect((await handlers(workerRun)['settings/read']({})).serviceUrl).toBe(own.url);
  });
});
