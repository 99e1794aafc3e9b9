/** Minting an asset of the wallet's service: who may ask, what is minted, once, and what becomes of it when things go wrong. */
import { BSM, PublicKey, Signature, Utils } from '@bsv/sdk';
import { describe, expect, test, vi } from 'vitest';
import { mintMessage, type Asset } from '../../../protocol/assets.ts';
import { addressScript } from '../../../protocol/address.ts';
import { readToken, writeTokenScript } from '../../../protocol/bsv21/token.ts';
import { fromHex, toHex } from '../../../protocol/bytes.ts';
import { parseTransaction, txidOf } from '../../../protocol/transaction.ts';
import type { MintView } from '../../../protocol/wallet-messages.ts';
import type { PageSender } from '../page-handlers.ts';
import { Issuer, one } from '../testing/assets.ts';
import { useNetwork } from '../testing/network.ts';
import {
  approvalOf,
  approvals,
  approve,
  decline,
  openWallet,
  PASSWORD,
  pay,
  ask,
  approveAll,
  paymentWhere,
  someone,
  stored,
} from '../testing/wallet.ts';
import { Profile, type WorkerRun } from '../testing/worker-run.ts';

const network = useNetwork();
/** Of the crash points of a run, every how many-th is tried. */
const STRIDE = 9;

const ID = '5b0f8f52-6c1e-4f7e-9d55-0a2f6f1c9a10';
const ASSET: Asset = {
  id: ID,
  name: 'Garden hours',
  description: '',
  avatar: null,
  url: null,
  protocol: 'bsv-21',
  initialSupply: '100050',
  decimals: 2,
  userId: '75101',
  paymailAlias: 'garden',
  paymailDomain: 'localhost',
  state: 'pending',
  tokenId: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

/** A wallet with money and an account whose service describes an asset. */
async function owner(asset: Partial<Asset> = {}, satoshis: readonly number[] = [100_000]): Promise<WorkerRun> {
  const run = await openWallet(network, satoshis, { account: true });
  network.assets.set(ID, { ...ASSET, ...asset });
  return run;
}

let messages = 0;
/** The page asks, under a name of its own for each click: the token's id, or the code of the error. */
function mint(run: WorkerRun, by: Partial<PageSender> = {}, assetId = ID): Promise<string> {
  messages += 1;
  return run.modules.pages.pageHandlers['asset/mint'](
    { assetId },
    { origin: network.url, message: `message-${messages}`, client: {}, userActivation: 'new', isTop: true, ...by },
  ).then(
    ({ tokenId }) => tokenId,
    (error: { code?: string }) => error.code ?? Promise.reject(error as Error),
  );
}

const viewOf = async (run: WorkerRun, id: string) => (await run.modules.decide.viewPrompt(id)) as MintView;
const timeToRead = () => new Promise((resolve) => setTimeout(resolve, 520));

/** The user reads the window and says yes. @returns what it showed */
async function agree(run: WorkerRun, id?: string): Promise<MintView> {
  const approvalId = id ?? (await approvalOf(run));
  const view = await viewOf(run, approvalId);
  await timeToRead();
  await approve(run, approvalId, { decision: 'mint', fee: BigInt(view.feeSatoshis ?? -1) });
  for (const { windowId } of approvals(run)) run.profile.browser.closeWindow(windowId);
  return view;
}

/** Agrees to whatever is asked, for as long as the run lasts. */
function agreeToAll(run: WorkerRun): void {
  const look = async () => {
    // A window that a worker had opened before it died is of no use any more.
    for (const { id } of approvals(run)) await agree(run, id).catch(() => undefined);
  };
  const again = (): void => {
    if (!run.dead) void look().then(() => setTimeout(again, 40));
  };
  again();
}

/** Tokens that the ledger has at the wallet's addresses: their ids. */
async function onLedger(run: WorkerRun): Promise<string[]> {
  const { coins } = await stored(run);
  const db = await run.modules.database.database();
  const found: string[] = [];
  for (const { address } of await db.getAll('addresses')) {
    const answer = await fetch(`${network.url}/devnet/ordinals/api/txos/address/${address}/unspent?bsv20=true`);
    const list = (await answer.json()) as { txid: string; vout: number }[];
    found.push(...list.map(({ txid, vout }) => `${txid}_${vout}`));
  }
  expect(coins.filter(({ satoshis, status }) => satoshis === 1n && status === 'available')).toHaveLength(found.length);
  return found;
}

const assetsOf = (run: WorkerRun) => run.modules.handlers.walletHandlers['assets/list']({});
const rowsOf = async (run: WorkerRun) =>
  (await run.modules.handlers.walletHandlers['activity/list']({ limit: 10 })).items;

describe('an asset of the wallet’s service', () => {
  test('is shown as it will be, minted in one output of one satoshi, and reported with a proof', async () => {
    const run = await owner();
    const answer = mint(run);
    expect(await agree(run)).toMatchObject({
      kind: 'mint',
      origin: network.url,
      asset: { type: 'mint', symbol: 'Garden hours', decimals: 2, units: '100050' },
      problem: null,
    });
    const tokenId = await answer;
    const [report] = network.mints;
    expect(report).toMatchObject({ assetId: ID, tokenId });
    // The wallet knows at once that its own token is good.
    const known = (await run.modules.database.database()).get('assets', tokenId.replace('_', ':'));
    expect(await known).toMatchObject({ verdict: { state: 'valid', word: 'chain' } });
    const bytes = fromHex(report?.rawtx ?? '');
    const { inputs, outputs } = parseTransaction(bytes);
    expect(tokenId).toBe(`${txidOf(bytes)}_0`);
    expect(outputs[0]?.satoshis).toBe(1n);
    expect(readToken(outputs[0]?.lockingScript as Uint8Array)).toEqual({
      op: 'deploy+mint',
      amt: 100_050n,
      dec: 2,
      sym: 'Garden hours',
    });
    expect(outputs.filter(({ lockingScript }) => readToken(lockingScript) !== null)).toHaveLength(1);
    const { identity } = await run.modules.vault.publicKeys();
    const message = Utils.toArray(mintMessage(ID, txidOf(bytes), identity), 'utf8');
    const minter = PublicKey.fromString(toHex(inputs[0]?.unlockingScript.slice(-33) as Uint8Array));
    expect(BSM.verify(message, Signature.fromCompact(report?.inputProof ?? '', 'base64'), minter)).toBe(true);
    // At once, by the wallet's own reading; no index was asked.
    expect((await assetsOf(run)).tokens).toMatchObject([
      { id: tokenId, symbol: 'Garden hours', amount: '1000.5', spendable: '1000.5', supply: '1000.5', word: 'chain' },
    ]);
    expect(await onLedger(run)).toEqual([tokenId]);
    expect(await rowsOf(run)).toMatchObject([
      { direction: 'sent', asset: { type: 'mint', symbol: 'Garden hours', units: '100050' } },
      { direction: 'received' },
    ]);
    expect(network.reports.size).toBe(0);
    // Nobody is offered the wallet's own address as somebody to pay.
    expect(await run.modules.handlers.walletHandlers['send/recents']({})).toEqual({ recipients: [] });
  });

  test('is minted for nobody but that service, in a page of its own, by a person’s act', async () => {
    const run = await owner();
    expect(await mint(run, { origin: 'https://shop.example' })).toBe('permission-refused');
    expect(await mint(run, { origin: network.url.replace('127.0.0.1', 'localhost') })).toBe('permission-refused');
    expect(await mint(run, { isTop: false })).toBe('permission-refused');
    for (const userActivation of ['none', 'embedded'] as const)
      expect(await mint(run, { userActivation })).toBe('click-first');
    expect(run.profile.browser.windowsOpened).toBe(0);
    const stranger = await openWallet(network, [100_000]);
    expect(await mint(stranger)).toBe('unknown-account');
    expect(network.broadcasts).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['another asset', { id: '00000000-0000-4000-8000-000000000000' }],
    ['no supply', { initialSupply: '0' }],
    ['more than a token can be', { initialSupply: '18446744073709551616' }],
    ['a supply that is no number', { initialSupply: '1e3' }],
    ['half a decimal', { decimals: 0.5 }],
    ['less than none', { decimals: -1 }],
    ['more decimals than a token has', { decimals: 19 }],
    ['a name that nobody sees', { name: '\u200b\u200b\u200b\u200b\u200b' }],
    ['a name that turns what follows', { name: 'Gar\u202eden hours' }],
    ['another protocol', { protocol: 'bsv-20' }],
  ])('of which the service says %s is not minted', async (_, lie) => {
    const run = await owner(lie as Partial<Asset>);
    expect(await mint(run)).toBe('service-unavailable');
    expect([run.profile.browser.windowsOpened, network.broadcasts]).toEqual([0, []]);
  });

  test('with a name that is longer than a symbol can be is shown and minted with its beginning', async () => {
    const run = await owner({ name: `${'🌱'.repeat(40)}` });
    const answer = mint(run);
    expect((await agree(run)).asset?.symbol).toBe('🌱'.repeat(32));
    await answer;
    const token = readToken(parseTransaction(fromHex(network.mints[0]?.rawtx ?? '')).outputs[0]!.lockingScript);
    expect(token).toMatchObject({ sym: '🌱'.repeat(32) });
  });

  test('of a locked wallet is read once that is unlocked, and must be read then', async () => {
    const run = await owner();
    await run.modules.vault.lock();
    const answer = mint(run);
    const id = await approvalOf(run);
    expect(await viewOf(run, id)).toMatchObject({ locked: true, asset: null, feeSatoshis: null, problem: null });
    await timeToRead();
    await run.modules.vault.unlock(PASSWORD);
    await expect(approve(run, id, { decision: 'mint', fee: 1000n })).rejects.toMatchObject({ code: 'too-soon' });
    expect(await viewOf(run, id)).toMatchObject({ asset: { symbol: 'Garden hours' } });
    await expect(approve(run, id, { decision: 'mint', fee: 1000n })).rejects.toMatchObject({ code: 'too-soon' });
    await agree(run, id);
    expect(await answer).toBe(network.mints[0]?.tokenId);
  });

  test('that has a token already is not minted, wherever that turns out', async () => {
    const tokenId = `${'ab'.repeat(32)}_0`;
    const run = await owner({ state: 'minted', tokenId });
    expect(await mint(run)).toBe(tokenId);
    expect(run.profile.browser.windowsOpened).toBe(0);
    await run.modules.vault.lock();
    const answer = mint(run);
    const id = await approvalOf(run);
    await viewOf(run, id);
    await run.modules.vault.unlock(PASSWORD);
    await expect(viewOf(run, id)).rejects.toMatchObject({ code: 'approval-unknown' });
    expect(await answer).toBe(tokenId);
    expect(network.broadcasts).toEqual([]);
  });

  test('costs no more than was on screen, and nothing where the user says no; then it can be asked for again', async () => {
    const run = await owner();
    const answer = mint(run);
    const id = await approvalOf(run);
    await viewOf(run, id);
    await timeToRead();
    await expect(approve(run, id, { decision: 'mint', fee: 1n })).rejects.toMatchObject({ code: 'fee-changed' });
    await expect(approve(run, id, { decision: 'mint' })).rejects.toMatchObject({ code: 'fee-changed' });
    await decline(run, id);
    expect(await answer).toBe('refused');
    expect((await stored(run)).payments).toEqual([]);
    for (const { windowId } of approvals(run)) run.profile.browser.closeWindow(windowId);
    const again = mint(run);
    await agree(run);
    expect(await again).toBe(network.mints[0]?.tokenId);
  });

  test('is one question and one token, however often it is asked for, whatever the service forgets', async () => {
    const run = await owner();
    const answers = [mint(run), mint(run), mint(run, {}, ID.toUpperCase())];
    await agree(run);
    const [tokenId, ...others] = await Promise.all(answers);
    expect(others).toEqual([tokenId, tokenId]);
    network.assets.set(ID, ASSET);
    expect(await mint(run)).toBe(tokenId);
    const later = await run.profile.start();
    expect(await mint(later)).toBe(tokenId);
    expect(later.profile.browser.windowsOpened).toBe(1);
    expect(await onLedger(later)).toEqual([tokenId]);
    // And it was reminded.
    expect(network.mints.length).toBeGreaterThan(1);
    expect(new Set(network.mints.map((one) => one.tokenId))).toEqual(new Set([tokenId]));
  });
});

/** Waits until the service has the report of the only payment. */
async function isSettled(run: WorkerRun): Promise<boolean> {
  const { payments } = await stored(run);
  await paymentWhere(run, payments[0]?.id ?? '', ({ state, report }) => state === 'settled' && report.state === 'done');
  return true;
}

describe('a mint', () => {
  test('is made and reported once, wherever the worker dies', async () => {
    /** Mints while the worker dies at a point; gives the number of those that the run passed. */
    async function through(dieAt: number): Promise<number> {
      network.reset();
      const first = await owner();
      first.dieAt(dieAt);
      let run = first;
      let tokenId: string | null = null;
      // The relay asks again under the same name; and the run that has answered goes on with reporting.
      for (let isDone = false; !isDone;) {
        agreeToAll(run);
        tokenId = await run.untilDeath(() => mint(run, { message: 'the click' }));
        isDone = tokenId !== null && (await run.untilDeath(() => isSettled(run))) === true;
        if (run.dead) run = await run.profile.start();
      }
      const points = first.crashPoints.length;
      expect(tokenId).toMatch(/^[0-9a-f]{64}_0$/);
      expect((await stored(run)).payments).toHaveLength(1);
      expect(new Set(network.mints.map((one) => `${one.assetId} ${one.tokenId}`))).toEqual(
        new Set([`${ID} ${tokenId}`]),
      );
      expect(await onLedger(run)).toEqual([tokenId]);
      expect((await assetsOf(run)).tokens).toMatchObject([{ id: tokenId, amount: '1000.5', word: 'chain' }]);
      return points;
    }
    const points = await through(Number.POSITIVE_INFINITY);
    expect(points).toBeGreaterThan(10);
    for (let dieAt = 1; dieAt <= points; dieAt += STRIDE) await through(dieAt);
  });

  test('is reported until the service has it, and the page is answered meanwhile', async () => {
    const run = await owner();
    network.refuseReports = 'not-accepted';
    const answer = mint(run);
    await agree(run);
    const tokenId = await answer;
    const [payment] = (await stored(run)).payments;
    expect(payment?.report).toMatchObject({ state: 'waiting', problem: 'not-accepted' });
    network.refuseReports = null;
    await paymentWhere(run, payment?.id ?? '', ({ state, report }) => state === 'settled' && report.state === 'done');
    expect(network.mints).toMatchObject([{ tokenId }]);
  });

  test.each(['asset-mismatch', 'asset-conflict', 'not-found', 'invalid-transaction'])(
    'that the service will never take (%s) is reported no more, and made no second time',
    async (code) => {
      const run = await owner();
      network.refuseReports = code;
      const answer = mint(run);
      await agree(run);
      const tokenId = await answer;
      const [payment] = (await stored(run)).payments;
      await paymentWhere(
        run,
        payment?.id ?? '',
        ({ state, report }) => state === 'settled' && report.state === 'refused',
      );
      expect(await mint(run)).toBe(tokenId);
      expect(network.broadcasts).toHaveLength(1);
    },
  );

  test('is reported to no other service, whose user another account is', async () => {
    const run = await owner();
    network.refuseReports = 'not-accepted';
    const answer = mint(run);
    await agree(run);
    await answer;
    const [payment] = (await stored(run)).payments;
    await run.modules.handlers.walletHandlers['settings/change']({
      serviceUrl: network.url.replace('127.0.0.1', 'localhost'),
    });
    await run.modules.client.registerAccount('alice', 'Alice');
    network.refuseReports = null;
    await run.modules.revive.reviveReports();
    await run.modules.drive.processAll();
    const { report } = (await run.modules.transition.readPayment(payment?.id ?? '')) ?? {};
    expect(report).toMatchObject({ state: 'waiting', attempts: 0 }); // not even tried
    expect(network.mints).toEqual([]);
    // Back at its own, it is.
    await run.modules.handlers.walletHandlers['settings/change']({ serviceUrl: network.url });
    await run.modules.client.registerAccount('alice', 'Alice');
    await run.modules.revive.reviveReports();
    await paymentWhere(run, payment?.id ?? '', ({ report }) => report.state === 'done');
  });

  test('that the network refuses is offered again, and mints anew only once a block has decided against it', async () => {
    const run = await owner({}, [100_000, 90_000]);
    network.faults = [461];
    const answer = mint(run);
    await agree(run).catch(() => undefined);
    expect(await answer).toBe('payment-contested');
    const [refused] = (await stored(run)).payments;
    expect(refused?.trouble).toBe('refused');
    network.faults = [461];
    expect(await mint(run)).toBe('payment-contested');
    // Another payment takes its place, and is mined.
    approveAll(run);
    const paid = await ask(run, 'another', pay(someone(), 150_000));
    if (typeof paid === 'string') throw new Error(paid);
    expect(await mint(run)).toBe('payment-contested');
    await network.mine();
    await run.modules.poll.refresh();
    await paymentWhere(run, refused?.id ?? '', ({ state }) => state === 'failed');
    const later = await run.profile.start(); // in which nobody approves payments
    for (const { windowId } of approvals(later)) later.profile.browser.closeWindow(windowId);
    const again = mint(later);
    await agree(later);
    expect(await again).toBe(network.mints[0]?.tokenId);
    expect(await onLedger(later)).toEqual([await again]);
  });

  test('without money says so, and waits for it', async () => {
    const run = await owner({}, []);
    void mint(run);
    expect(await viewOf(run, await approvalOf(run))).toMatchObject({
      feeSatoshis: null,
      problem: { code: 'insufficient-funds' },
      receiveAddress: expect.any(String),
    });
  });
});

describe('a wallet that was restored before the service had the report', () => {
  /** Mints at a service that takes no reports; then the words alone are left, and a service that knows nothing of it. */
  async function restored(): Promise<{ run: WorkerRun; tokenId: string }> {
    const first = await owner();
    network.refuseReports = 'not-accepted';
    const answer = mint(first);
    await agree(first);
    const tokenId = await answer;
    await network.mine();
    const { words } = await first.modules.handlers.walletHandlers['vault/show-words']({ password: PASSWORD });
    first.end(); // else it might report after all
    network.refuseReports = null;
    network.assets.set(ID, ASSET);
    network.mints.length = 0;
    network.broadcasts.length = 0;
    const run = await new Profile(network.url).start();
    await run.modules.vault.createVault(words, PASSWORD, true);
    await run.modules.client.registerAccount('alice', 'Alice');
    await run.modules.poll.refresh({ all: true });
    return { run, tokenId };
  }

  test('shows the token that it has minted before, and reports that one: none is minted, and the proof is right', async () => {
    const { run, tokenId } = await restored();
    const answer = mint(run);
    expect(await agree(run)).toMatchObject({ earlier: tokenId, feeSatoshis: '0', problem: null });
    expect(await answer).toBe(tokenId);
    expect(await isSettled(run)).toBe(true);
    const [report] = network.mints;
    expect(report).toMatchObject({ assetId: ID, tokenId });
    const bytes = fromHex(report?.rawtx ?? '');
    expect(`${txidOf(bytes)}_0`).toBe(tokenId);
    const { identity } = await run.modules.vault.publicKeys();
    const message = Utils.toArray(mintMessage(ID, txidOf(bytes), identity), 'utf8');
    const minter = PublicKey.fromString(
      toHex(parseTransaction(bytes).inputs[0]?.unlockingScript.slice(-33) as Uint8Array),
    );
    expect(BSM.verify(message, Signature.fromCompact(report?.inputProof ?? '', 'base64'), minter)).toBe(true);
    expect(network.broadcasts).toEqual([]);
    expect((await rowsOf(run)).filter(({ txid }) => `${txid}_0` === tokenId)).toMatchObject([
      { direction: 'sent', asset: { type: 'mint', symbol: 'Garden hours', units: '100050' } },
    ]);
    expect((await assetsOf(run)).tokens).toMatchObject([{ id: tokenId, amount: '1000.5', spendable: '1000.5' }]);
    // It is this asset's from now on: the same name again is another token.
    const other = '00000000-0000-4000-8000-00000000000b';
    network.assets.set(other, { ...ASSET, id: other });
    const another = mint(run, {}, other);
    expect((await agree(run)).earlier).toBeUndefined();
    expect(await another).not.toBe(tokenId);
  });

  test('mints anew once the service says that the token is another asset’s', async () => {
    const { run, tokenId } = await restored();
    network.refuseReports = 'asset-conflict';
    const answer = mint(run);
    await agree(run);
    expect(await answer).toBe('asset-conflict');
    network.refuseReports = null;
    const again = mint(run);
    expect((await agree(run)).earlier).toBeUndefined();
    expect(await again).not.toBe(tokenId);
    expect(network.mints).toMatchObject([{ tokenId: await again }]);
  });

  test('takes nobody else’s token for its own, nor one with another supply', async () => {
    const { run } = await restored();
    network.assets.set(ID, { ...ASSET, initialSupply: '100051' });
    const { receiveAddress } = await run.modules.overview.overview();
    const lock = addressScript(receiveAddress, 'devnet');
    const token = { op: 'deploy+mint', amt: 100_051n, dec: 2, sym: 'Garden hours' } as const;
    await new Issuer(network).make([], [one(writeTokenScript(token, lock))]);
    const answer = mint(run);
    expect((await agree(run)).earlier).toBeUndefined();
    expect(await answer).toBe(network.mints[0]?.tokenId);
  });

  test('finds it also behind more than one refresh reads, and behind others’ tokens of the same name', async () => {
    const { run, tokenId } = await restored();
    const { receiveAddress } = await run.modules.overview.overview();
    const lock = addressScript(receiveAddress, 'devnet');
    const token = { op: 'deploy+mint', amt: 100_050n, dec: 2, sym: 'Garden hours' } as const;
    for (let i = 0; i < 6; i += 1) await new Issuer(network).make([], [one(writeTokenScript(token, lock))]);
    const { Work } = await import('../scan/work.ts');
    const read = Work.prototype.transaction;
    // As if each took a quarter of what a refresh may read.
    const reading = vi.spyOn(Work.prototype, 'transaction').mockImplementation(function (
      this: InstanceType<typeof Work>,
      ...of
    ) {
      this.transactions.took(25);
      return read.apply(this, of);
    });
    const answer = mint(run);
    expect(await Promise.race([answer, agree(run)])).toMatchObject({ earlier: tokenId });
    expect(await answer).toBe(tokenId);
    reading.mockRestore();
  });

  test('mints nothing while it can’t look for what it has minted', async () => {
    const { run } = await restored();
    const real = globalThis.fetch;
    const silent = vi
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async (url, options) =>
        String(url).includes('/devnet/ordinals/') ? new Response('', { status: 500 }) : real(url, options),
      );
    expect(await mint(run)).toBe('network-unavailable');
    silent.mockRestore();
    expect(network.broadcasts).toEqual([]);
  });
});

test('what is left of a token that was minted here can be sent on at once, before anything is looked up', async () => {
  const run = await owner();
  const asked = mint(run);
  await agree(run);
  const token = await asked;
  const { walletHandlers: handlers } = run.modules.handlers;
  for (const [requestId, amount] of [
    ['first', '400.5'],
    ['second', '600'],
  ] as const) {
    const to = someone();
    const { asset, feeSatoshis, problem } = await handlers['assets/quote']({ asset: { token, amount }, to });
    expect(problem).toBeNull();
    if (asset?.type !== 'token' || feeSatoshis === null) throw new Error('no quote');
    await handlers['assets/send']({ requestId, asset: { token, units: asset.units }, to, feeSatoshis });
  }
  expect((await assetsOf(run)).tokens).toEqual([]);
});
