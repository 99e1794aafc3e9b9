import { describe, expect, test, vi } from 'vitest';
import { isSupported, type SupportedMethod } from '../../protocol/brc100/methods.ts';
import {
  pageMethods,
  type PageMethod,
  type PageParams,
  type UserActivation,
} from '../../protocol/messages/page-messages.ts';
import { BRC100_METHODS } from '../../protocol/messages/wire.ts';
import { appScript, output } from '../../testkit/wallet/applications.ts';
import { approvals, decline, openWallet, PASSWORD, someone } from '../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { network, type Known, stranger, keys, dump, usedWallet } from './testing-strangers.ts';
import { wallet } from '../../testkit/wallet/current.ts';

let sites = 0;

const bytes = { data: [1, 2, 3] };
const HMAC = Array<number>(32).fill(7);

/** Returns calls to every method, with every kind of argument. */
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
/** Returns every message that a page can send, except BRC-100 calls. */
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
  'payment/outcome': [{ id: 'request-1' }, { id: 'request-9', known: 'payment-pending' }],
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

/** Returns the changed records, except public data from hosts: headers and exchange rates. */
function changed(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name) && !/^headers |^keyval "(rates|network)"/.test(name),
  );
}

/** A call from a site that is unknown to the wallet. */
interface PageCall {
  name: string;
  method: PageMethod;
  params: unknown;
  userActivation: UserActivation;
}

/** Returns the response or, if a window opened, its kind and the response after the window is dismissed. */
async function ask(run: WorkerRun, { method, params, userActivation }: PageCall): Promise<unknown> {
  const handler = run.modules.pages.pageHandlers(wallet)[method] as (
    params: unknown,
    sender: object,
  ) => Promise<unknown>;
  sites += 1;
  const sender = { origin: `https://site-${sites}.example`, message: `message-${sites}`, client: {}, isTop: true };
  let answer: unknown;
  const settled = handler(params, { ...sender, userActivation }).then(
    // A price includes the time of the host's response, which varies.
    (result) => (answer = { result: { ...(result as object), time: undefined } }),
    (error: { code?: string }) => (answer = { error: error.code ?? String(error) }),
  );
  await vi.waitFor(() => expect(answer !== undefined || approvals(run).length > 0).toBe(true), { interval: 1 });
  const [window] = answer === undefined ? approvals(run) : [];
  if (!window) return answer;
  const { kind, permission } = (await run.modules.decide.viewPrompt(wallet, window.id)) as {
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

/** Collects all responses to sites without permissions and, for calls that open no window, the records they change. */
async function learn(run: WorkerRun, all: readonly PageCall[]): Promise<Map<string, unknown>> {
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

/** Restarts the worker, locked or unlocked, and updates its headers. */
async function restart(run: WorkerRun, isLocked: boolean): Promise<WorkerRun> {
  const next = await run.profile.start();
  await next.modules.vault.lock(wallet);
  if (!isLocked) await next.modules.vault.unlock(wallet, PASSWORD);
  await next.modules.poll.refresh(wallet);
  const { followChain } = await import('../chain/headers/follow.ts');
  const { networkInfo } = await import('../chain/network.ts');
  await followChain(wallet, await networkInfo(wallet));
  return next;
}

function everything(known: Known): PageCall[] {
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

describe('a site without permissions', () => {
  test('a site gets the same responses from every wallet, with every method and argument, and nothing is stored without a window', async () => {
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
});
