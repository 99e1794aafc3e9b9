/**
 * Sites that the user has given nothing: no answer depends on the seed, the lock or what the wallet holds, and nothing is
 * stored. Two wallets of different words are asked the same, one locked and used, the other unlocked and empty.
 */
import { describe, expect, test, vi } from 'vitest';
import { PrivateKey } from '@bsv/sdk';
import { isSupported, type SupportedMethod } from '../../../protocol/brc100/methods.ts';
import { pageMethods, type PageMethod, type PageParams, type UserActivation } from '../../../protocol/page-messages.ts';
import { BRC100_METHODS } from '../../../protocol/wire.ts';
import { APP, appScript, call, called, output } from '../testing/applications.ts';
import { holdTime } from '../testing/clock.ts';
import { useNetwork } from '../testing/network.ts';
import {
  approvalOf,
  approvals,
  approve,
  decline,
  give,
  openWallet,
  PASSWORD,
  someone,
  stored,
} from '../testing/wallet.ts';
import type { WorkerRun } from '../testing/worker-run.ts';

const network = useNetwork();

/** What the used wallet holds, which pages may name: all of it can be read on the chain. */
interface Known {
  /** The user's money, an output in another application's basket, and one that nobody knows. */
  outpoints: string[];
  /** A transaction of another application, as AtomicBEEF. */
  beef: number[];
  txid: string;
  /** Of another application's action that waits for its signature. */
  reference: string;
}

const bytes = { data: [1, 2, 3] };
const stranger = PrivateKey.fromHex('05'.repeat(32)).toPublicKey().toString();
const HMAC = Array<number>(32).fill(7);

/** Keys of level 0, of every counterparty; those of levels 1 and 2 have permissions of their own. */
const keys = (more: object): object[] =>
  [...[undefined, 'anyone', stranger].map((counterparty) => [0, counterparty]), [1, 'self'], [2, 'anyone']].flatMap(
    ([level, counterparty]) =>
      [undefined, false].map((seekPermission) => ({
        protocolID: [level, 'tests of strangers'],
        keyID: '1',
        counterparty,
        seekPermission,
        ...more,
      })),
  );

/** Calls of every method, with every kind of argument. */
const callsOf = ({ outpoints, beef, txid, reference }: Known): Record<SupportedMethod, object[]> => ({
  createAction: [
    { description: 'nothing at all' },
    { description: 'a payment', outputs: [output(1000, appScript(0))] },
    ...['things', 'default', 'others'].map((basket) => ({
      description: 'into a basket',
      outputs: [output(1, appScript(0), { basket })],
    })),
    ...outpoints.flatMap((outpoint) =>
      [{ unlockingScriptLength: 107 }, { unlockingScript: '51' }].flatMap((unlocking) =>
        [{}, { noSend: true }, { signAndProcess: false }].map((options) => ({
          description: 'an input',
          inputs: [{ outpoint, inputDescription: 'an input', ...unlocking }],
          inputBEEF: beef,
          outputs: [output(1, appScript(0))],
          options,
        })),
      ),
    ),
    ...outpoints.map((outpoint) => ({
      description: 'somebody’s change',
      outputs: [output(1, appScript(0))],
      options: { noSend: true, noSendChange: [outpoint] },
    })),
    { description: 'sends another’s', options: { sendWith: [txid] } },
    { description: 'sends nobody’s', options: { sendWith: ['ab'.repeat(32)] } },
  ],
  signAction: [reference, 'AAAA'].flatMap((one) =>
    [{}, { sendWith: [txid] }].map((options) => ({ reference: one, spends: {}, options })),
  ),
  abortAction: [reference, txid, 'AAAA'].map((one) => ({ reference: one })),
  listActions: [undefined, false].flatMap((seekPermission) => [
    { labels: [], seekPermission },
    { labels: ['shop'], includeOutputs: true, seekPermission },
  ]),
  internalizeAction: [undefined, false].flatMap((seekPermission) => [
    {
      tx: beef,
      description: 'into a basket',
      seekPermission,
      outputs: [{ protocol: 'basket insertion', outputIndex: 0, insertionRemittance: { basket: 'things' } }],
    },
    {
      tx: beef,
      description: 'as money',
      seekPermission,
      outputs: [
        {
          protocol: 'wallet payment',
          outputIndex: 0,
          paymentRemittance: { derivationPrefix: 'YWI=', derivationSuffix: 'YWI=', senderIdentityKey: stranger },
        },
      ],
    },
  ]),
  listOutputs: ['things', 'default', 'others'].flatMap((basket) =>
    [undefined, false].map((seekPermission) => ({ basket, seekPermission })),
  ),
  relinquishOutput: ['things', 'default'].flatMap((basket) => outpoints.map((one) => ({ basket, output: one }))),
  getPublicKey: [
    ...keys({}),
    ...keys({ forSelf: true }),
    { identityKey: true },
    { identityKey: true, seekPermission: false },
  ],
  encrypt: keys({ plaintext: [1] }),
  decrypt: keys({ ciphertext: Array(60).fill(1) }),
  createHmac: keys(bytes),
  verifyHmac: keys({ ...bytes, hmac: HMAC }),
  createSignature: [...keys(bytes), ...keys({ hashToDirectlySign: HMAC })],
  verifySignature: [...keys({ ...bytes, signature: [48] }), ...keys({ ...bytes, signature: [48], forSelf: true })],
  isAuthenticated: [{}],
  waitForAuthentication: [{}],
  getHeight: [{}],
  getHeaderForHeight: [{ height: 0 }, { height: 1 }, { height: 100_000 }],
  getNetwork: [{}],
  getVersion: [{}],
});

const pay = (to: string) => ({ outputs: [{ to, amount: '0.00001', currency: 'BSV' }] });
const now = Date.now();
/** The same of the other messages of a page. */
const messagesOf = (to: string): { [M in Exclude<PageMethod, 'brc100/call'>]: PageParams<M>[] } => ({
  'wallet/hello': [{}],
  'rates/read': [{ currency: 'USD' }, { currency: 'EUR' }, { currency: 'XXX' }],
  'payment/request': [
    { id: 'request-1', options: pay(to) },
    { id: 'request-2', options: pay(to), automatic: true, permission: 'token-0123456789' },
    {
      id: 'request-3',
      options: { outputs: [], cryptoOperations: [{ name: 'sig', method: 'sign', data: 'I owe you.' }] },
    } as never,
  ],
  'allowance/left': [{ clientIdentifier: 'client' }],
  'allowance/ask': [{ clientIdentifier: 'client' }],
  'identity/sign-in': [
    {
      nonce: 'a'.repeat(43),
      issuedAt: new Date(now).toISOString(),
      expiresAt: new Date(now + 300_000).toISOString(),
      register: null,
    },
  ],
  'asset/mint': [{ assetId: '8b2f7b3e-3a0e-4c3b-9d55-1c2f6c0e9a11' }],
});

/** Everything that the wallet keeps, by store and key. */
async function dump({ modules }: WorkerRun): Promise<Map<string, string>> {
  const db = await modules.database.database();
  const kept = new Map<string, string>();
  for (const name of db.objectStoreNames) {
    const store = db.transaction(name).store;
    const [keys, values] = await Promise.all([store.getAllKeys(), store.getAll()]);
    for (const [i, key] of keys.entries())
      kept.set(
        `${name} ${JSON.stringify(key)}`,
        JSON.stringify(values[i], (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)),
      );
  }
  return kept;
}

/** What was changed in between, except what hosts say to everyone: headers and exchange rates. */
function changed(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name) && !/^headers |^keyval "(rates|network)"/.test(name),
  );
}

const STRANGER = { origin: 'https://stranger.example', isPermitted: false, userActivation: 'none' } as const;

let sites = 0;

/** A call of a site that the wallet has never met. */
interface Asked {
  name: string;
  method: PageMethod;
  params: unknown;
  userActivation: UserActivation;
}

/** The answer, or the kind of window that opened instead and what the site hears once it is dismissed. */
async function ask(run: WorkerRun, { method, params, userActivation }: Asked): Promise<unknown> {
  const handler = run.modules.pages.pageHandlers[method] as (params: unknown, sender: object) => Promise<unknown>;
  sites += 1;
  const sender = { origin: `https://site-${sites}.example`, message: `message-${sites}`, client: {}, isTop: true };
  let answer: unknown;
  const settled = handler(params, { ...sender, userActivation }).then(
    // Prices have the time at which a host said them.
    (result) => (answer = { result: { ...(result as object), time: undefined } }),
    (error: { code?: string }) => (answer = { error: error.code ?? String(error) }),
  );
  await vi.waitUntil(() => answer !== undefined || approvals(run).length > 0, { interval: 1, timeout: 20_000 });
  const [window] = answer === undefined ? approvals(run) : [];
  if (!window) return answer;
  const { kind, permission } = (await run.modules.decide.viewPrompt(window.id)) as {
    kind: string;
    permission?: unknown;
  };
  await decline(run, window.id);
  run.profile.browser.closeWindow(window.windowId);
  await settled;
  return { window: kind, permission, answer };
}

const kindOf = (learned: unknown): string[] => {
  const { window, permission } = learned as { window?: string; permission?: { kind: string } };
  return window === undefined ? [] : [permission?.kind ?? window];
};

/** All that sites without any permission can learn, and what the wallet has stored for those that no window asked about. */
async function learn(run: WorkerRun, all: readonly Asked[]): Promise<Map<string, unknown>> {
  const learned = new Map<string, unknown>();
  for (const asked of all) {
    const before = await dump(run);
    const answer = await ask(run, asked);
    const isSilent = typeof answer === 'object' && answer !== null && !('window' in answer);
    learned.set(asked.name, answer);
    if (isSilent) expect([asked.name, changed(before, await dump(run))]).toEqual([asked.name, []]);
  }
  return learned;
}

/** A wallet that is used: it has money, and another application has an allowance, things in a basket, and an action that waits. */
async function usedWallet(): Promise<{ run: WorkerRun; known: Known }> {
  const run = await openWallet(network, [1_000_000, 500_000]);
  await give(run, { origin: APP, currency: 'BSV', limit: 900_000n });
  const outputs = [output(1000, appScript(0), { basket: 'things' })];
  const options = { acceptDelayedBroadcast: false, randomizeOutputs: false };
  const { txid = '', tx } = await called(run, 'createAction', {
    description: 'a thing',
    labels: ['shop'],
    outputs,
    options,
  });
  const { signableTransaction } = await called(run, 'createAction', {
    description: 'another thing',
    outputs: [output(1000, appScript(1))],
    options: { signAndProcess: false },
  });
  const mine = (await stored(run)).coins.find(({ status }) => status === 'available')!;
  const outpoints = [`${txid}.0`, `${mine.txid}.${mine.vout}`, `${'ab'.repeat(32)}.0`];
  await network.mine();
  return { run, known: { outpoints, txid, beef: tx!, reference: signableTransaction!.reference } };
}

/** Starts the worker again, locked or not, on the chain as it is now. */
async function restart(run: WorkerRun, isLocked: boolean): Promise<WorkerRun> {
  const next = await run.profile.start();
  await next.modules.vault.lock();
  if (!isLocked) await next.modules.vault.unlock(PASSWORD);
  await next.modules.poll.refresh();
  const { followChain } = await import('../chain/follow.ts');
  const { networkInfo } = await import('../chain/network.ts');
  await followChain(await networkInfo());
  return next;
}

function everything(known: Known): Asked[] {
  const calls = Object.entries(callsOf(known)).flatMap(([call, all]) =>
    all.map((args) => ({
      name: `${call} ${JSON.stringify(args)}`,
      method: 'brc100/call' as const,
      params: { call, args: JSON.stringify(args) },
    })),
  );
  const messages = Object.entries(messagesOf(someone())).flatMap(([method, all]) =>
    all.map((params) => ({ name: `${method} ${JSON.stringify(params)}`, method: method as PageMethod, params })),
  );
  return (['none', 'embedded'] as const).flatMap((userActivation) =>
    [...messages, ...calls].map((one) => ({ ...one, name: `${userActivation}: ${one.name}`, userActivation })),
  );
}

describe('a site that the user has given nothing', () => {
  test('learns the same from every wallet, by every method and argument, and has nothing stored without a window', async () => {
    const used = await usedWallet();
    const empty = await openWallet(network, []);
    const all = everything(used.known);
    expect(Object.keys(callsOf(used.known)).toSorted()).toEqual(BRC100_METHODS.filter(isSupported).toSorted());
    expect([...Object.keys(messagesOf('')), 'brc100/call'].toSorted()).toEqual(Object.keys(pageMethods).toSorted());
    const locked = await learn(await restart(used.run, true), all);
    const unlocked = await learn(await restart(empty, false), all);
    for (const { name } of all)
      expect({ name, learned: unlocked.get(name) }).toEqual({ name, learned: locked.get(name) });
    const windows = (activation: string) =>
      new Set([...locked].flatMap(([name, one]) => (name.startsWith(activation) ? kindOf(one) : [])));
    expect(windows('none')).toEqual(
      new Set(['payment', 'operations', 'allowance', 'connect', 'identity', 'protocol', 'basket']),
    );
    expect(windows('embedded')).toEqual(new Set(['payment', 'operations', 'allowance']));
  });

  test('has nothing stored by a flood of actions that bring their own inputs, nor its words among the user’s activity', async () => {
    const { run, known } = await usedWallet();
    const action = (n: number) => ({
      description: `WALLET SECURITY NOTICE ${n}`,
      inputs: [{ outpoint: known.outpoints[0], inputDescription: 'an input', unlockingScript: '51' }],
      inputBEEF: known.beef,
      outputs: [output(1, '00'.repeat(n === 0 ? 1_900_000 : 50_000))],
      options: { noSend: true, randomizeOutputs: false },
    });
    const flood = Array.from({ length: 20 }, (_, n) => call(run, 'createAction', action(n), STRANGER));
    const id = await approvalOf(run);
    expect(await run.modules.decide.viewPrompt(id)).toMatchObject({
      kind: 'permission',
      permission: { kind: 'connect' },
    });
    holdTime(); // the site waits after a no
    await decline(run, id);
    for (const answer of await Promise.all(flood))
      expect((answer as { reason?: string }).reason).toMatch(/^(permission-refused|too-many-requests)$/);
    const kept = [...(await dump(run))].filter(([, row]) => /stranger\.example|SECURITY NOTICE/.test(row));
    expect([...new Set(kept.map(([name]) => name.split(' ')[0]))].toSorted()).toEqual(['prompts', 'sites']);
    expect(run.profile.browser.windowsOpened).toBe(1);
  });

  test('gets no key that names the user, no signature and no word about the lock before it is connected, nor afterwards', async () => {
    const run = await openWallet(network, []);
    const key = { protocolID: [0, 'tests of strangers'], keyID: '1', counterparty: 'anyone', seekPermission: false };
    const attacks = async () => [
      await call(run, 'getPublicKey', { ...key, forSelf: true }, STRANGER),
      await call(
        run,
        'createSignature',
        { ...key, data: [...new TextEncoder().encode('I owe the bearer 1000 BSV.')] },
        STRANGER,
      ),
      await call(run, 'listActions', { labels: [], seekPermission: false }, STRANGER),
      await call(run, 'isAuthenticated', {}, STRANGER),
    ];
    const refused = expect.objectContaining({ reason: 'permission-refused' }) as object;
    const nothing = [refused, refused, refused, { authenticated: false }];
    expect(await attacks()).toEqual(nothing);
    const connected = call(run, 'waitForAuthentication', {}, STRANGER);
    const id = await approvalOf(run);
    await run.modules.decide.viewPrompt(id);
    await new Promise((resolve) => setTimeout(resolve, 520)); // time to read
    await approve(run, id, { decision: 'permit' });
    expect(await connected).toEqual({ authenticated: true });
    expect(await attacks()).toEqual([
      { publicKey: expect.any(String) as string },
      { signature: expect.any(Array) as number[] },
      { totalActions: 0, actions: [] },
      { authenticated: true },
    ]);
    await run.modules.vault.lock();
    expect(await call(run, 'isAuthenticated', {}, STRANGER)).toEqual({ authenticated: false });
    await run.modules.vault.unlock(PASSWORD);
    await run.modules.permissionStore.revokePermission(STRANGER.origin, 'connect');
    expect(await attacks()).toEqual(nothing);
    expect(run.profile.browser.windowsOpened).toBe(1);
  });

  test('is not asked about in a frame of another site, at any level', async () => {
    const run = await openWallet(network, []);
    const embedded = { ...STRANGER, userActivation: 'embedded' } as const;
    const refused = { reason: 'permission-refused' };
    for (const level of [0, 1, 2])
      expect(
        await call(run, 'getPublicKey', { protocolID: [level, 'tests of strangers'], keyID: '1' }, embedded),
      ).toMatchObject(refused);
    expect(await call(run, 'getPublicKey', { identityKey: true }, embedded)).toMatchObject(refused);
    expect(await call(run, 'listOutputs', { basket: 'things' }, embedded)).toMatchObject(refused);
    expect(await call(run, 'waitForAuthentication', {}, embedded)).toMatchObject(refused);
    expect(run.profile.browser.windowsOpened).toBe(0);
  });
});
