/** Tests minting an asset described at the wallet's service: permissions, contents, uniqueness and failures. */
import { BSM, PublicKey, Signature, Utils } from '@bsv/sdk';
import { describe, expect, test } from 'vitest';
import { mintMessage } from '../../../../protocol/assets/assets.ts';
import { addressScript } from '../../../../protocol/bitcoin/address.ts';
import { readToken, writeTokenScript } from '../../../../protocol/assets/bsv21/token.ts';
import { fromHex, toHex } from '../../../../protocol/bitcoin/bytes.ts';
import { parseTransaction, txidOf } from '../../../../protocol/bitcoin/transaction.ts';
import { APP, call } from '../../../../testkit/wallet/applications.ts';
import { Issuer, one } from '../../../../testkit/wallet/assets.ts';
import { copyOf, copyToSign } from '../../../../testkit/wallet/copies.ts';
import {
  approvalOf,
  approvals,
  approve,
  decline,
  give,
  openWallet,
  PASSWORD,
  pay,
  ask,
  approveAll,
  paymentWhere,
  someone,
  stored,
} from '../../../../testkit/wallet/wallet.ts';
import {
  network,
  ID,
  ASSET,
  owner,
  mint,
  viewOf,
  agree,
  onLedger,
  assetsOf,
  rowsOf,
  isSettled,
  restored,
  mintThroughDeath,
} from './testing-mint.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';
import { timeToRead } from '../../../../testkit/wallet/clock.ts';
import { markFailed } from '../../../coins/gone.ts';

describe('an asset of the wallet’s service', () => {
  test('an asset is minted once: an application’s copy of the mint is rejected, and changes no coin', async () => {
    const run = await owner();
    await give(run, { origin: APP, currency: 'BSV', limit: 10_000n });
    const answer = mint(run);
    await agree(run);
    const tokenId = await answer;
    const before = await stored(run);
    const { rawtx } = before.payments.find(({ asset }) => asset)!.signed!;
    for (const args of [copyOf(rawtx), copyToSign(rawtx).args])
      expect(await call(run, 'createAction', args)).toMatchObject({ parameter: 'outpoint' });
    const after = await stored(run);
    expect(after.coins).toEqual(before.coins);
    expect(after.payments.map(({ id }) => id)).toEqual(before.payments.map(({ id }) => id));
    expect(await onLedger(run)).toEqual([tokenId]);
  });

  test('an asset is shown as it will be minted, is minted in one output of one satoshi, and is reported with a proof', async () => {
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
    // The wallet has already verified its own token.
    const known = (await run.modules.database.database(wallet)).get('assets', tokenId.replace('_', ':'));
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
    const { identity } = await run.modules.vault.publicKeys(wallet);
    const message = Utils.toArray(mintMessage(ID, txidOf(bytes), identity), 'utf8');
    const minter = PublicKey.fromString(toHex(inputs[0]?.unlockingScript.slice(-33) as Uint8Array));
    expect(BSM.verify(message, Signature.fromCompact(report?.inputProof ?? '', 'base64'), minter)).toBe(true);
    // The wallet verified the token itself, without the index.
    expect((await assetsOf(run)).tokens).toMatchObject([
      { id: tokenId, symbol: 'Garden hours', amount: '1000.5', spendable: '1000.5', supply: '1000.5', word: 'chain' },
    ]);
    expect(await onLedger(run)).toEqual([tokenId]);
    expect(await rowsOf(run)).toMatchObject([
      { direction: 'sent', asset: { type: 'mint', symbol: 'Garden hours', units: '100050' } },
      { direction: 'received' },
    ]);
    expect(network.reports.size).toBe(0);
    // The wallet's own address isn't offered as a recipient.
    expect(await run.modules.handlers.walletHandlers(wallet)['send/recents']({})).toEqual({ recipients: [] });
  });

  test('only the wallet’s own service can request a mint, outside frames and with a user gesture', async () => {
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

  test('an asset with a name that is too long for a symbol is shown and minted with a truncated name', async () => {
    const run = await owner({ name: `${'🌱'.repeat(40)}` });
    const answer = mint(run);
    expect((await agree(run)).asset?.symbol).toBe('🌱'.repeat(32));
    await answer;
    const token = readToken(parseTransaction(fromHex(network.mints[0]?.rawtx ?? '')).outputs[0]!.lockingScript);
    expect(token).toMatchObject({ sym: '🌱'.repeat(32) });
  });

  test('a locked wallet fetches the asset once it is unlocked, and the user can approve only after time to read', async () => {
    const run = await owner();
    await run.modules.vault.lock(wallet);
    const answer = mint(run);
    const id = await approvalOf(run);
    expect(await viewOf(run, id)).toMatchObject({ locked: true, asset: null, feeSatoshis: null, problem: null });
    await timeToRead();
    await run.modules.vault.unlock(wallet, PASSWORD);
    await expect(approve(run, id, { decision: 'mint', fee: 1000n })).rejects.toMatchObject({ code: 'too-soon' });
    expect(await viewOf(run, id)).toMatchObject({ asset: { symbol: 'Garden hours' } });
    await expect(approve(run, id, { decision: 'mint', fee: 1000n })).rejects.toMatchObject({ code: 'too-soon' });
    await agree(run, id);
    expect(await answer).toBe(network.mints[0]?.tokenId);
  });

  test('an asset that already has a token is not minted, even if the wallet finds the token only after it is unlocked', async () => {
    const tokenId = `${'ab'.repeat(32)}_0`;
    const run = await owner({ state: 'minted', tokenId });
    expect(await mint(run)).toBe(tokenId);
    expect(run.profile.browser.windowsOpened).toBe(0);
    await run.modules.vault.lock(wallet);
    const answer = mint(run);
    const id = await approvalOf(run);
    await viewOf(run, id);
    await run.modules.vault.unlock(wallet, PASSWORD);
    await expect(viewOf(run, id)).rejects.toMatchObject({ code: 'approval-unknown' });
    expect(await answer).toBe(tokenId);
    expect(network.broadcasts).toEqual([]);
  });

  test('a mint costs at most the displayed fee and nothing if rejected, and can be requested again', async () => {
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

  test('repeated requests make one prompt and one token, even if the service forgets the asset', async () => {
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
    // The repeated request triggered another report.
    expect(network.mints.length).toBeGreaterThan(1);
    expect(new Set(network.mints.map((one) => one.tokenId))).toEqual(new Set([tokenId]));
  });
});

describe('a mint', () => {
  test('a mint is made and reported once if the worker stops before the broadcast', async () => {
    const points = await mintThroughDeath('before POST /devnet/arc/v1/tx');
    expect(points).toBeGreaterThan(0);
  });

  test('a mint is reported until the service has it, while the page gets its response', async () => {
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

  test('a mint is not reported to another service, whose account belongs to another user', async () => {
    const run = await owner();
    network.refuseReports = 'not-accepted';
    const answer = mint(run);
    await agree(run);
    await answer;
    const [payment] = (await stored(run)).payments;
    await run.modules.handlers.walletHandlers(wallet)['settings/change']({
      serviceUrl: network.url.replace('127.0.0.1', 'localhost'),
    });
    await run.modules.client.registerAccount(wallet, 'alice', 'Alice');
    network.refuseReports = null;
    await run.modules.revive.reviveReports(wallet);
    await run.modules.drive.processAll(wallet);
    const { report } = (await run.modules.transition.readPayment(wallet, payment?.id ?? '')) ?? {};
    expect(report).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(network.mints).toEqual([]);
    // After the wallet has returned to its own service, the mint is reported.
    await run.modules.handlers.walletHandlers(wallet)['settings/change']({ serviceUrl: network.url });
    await run.modules.client.registerAccount(wallet, 'alice', 'Alice');
    await run.modules.revive.reviveReports(wallet);
    await paymentWhere(run, payment?.id ?? '', ({ report }) => report.state === 'done');
  });

  test('a rejected mint is broadcast again, and a new one is made only once a block has ruled out the first', async () => {
    const run = await owner({}, [100_000, 90_000]);
    network.faults = [461];
    const answer = mint(run);
    await agree(run).catch(() => undefined);
    expect(await answer).toBe('payment-contested');
    const [refused] = (await stored(run)).payments;
    expect(refused?.trouble).toBe('refused');
    network.faults = [461];
    expect(await mint(run)).toBe('payment-contested');
    // Another payment replaces the mint and is mined.
    approveAll(run);
    const paid = await ask(run, 'another', pay(someone(), 150_000));
    if (typeof paid === 'string') throw new Error(paid);
    expect(await mint(run)).toBe('payment-contested');
    await network.mine();
    await run.modules.poll.refresh(wallet);
    await paymentWhere(run, refused?.id ?? '', ({ state }) => state === 'failed');
    const later = await run.profile.start(); // without automatic approval
    for (const { windowId } of approvals(later)) later.profile.browser.closeWindow(windowId);
    const again = mint(later);
    await agree(later);
    expect(await again).toBe(network.mints[0]?.tokenId);
    expect(await onLedger(later)).toEqual([await again]);
  });

  test('no second token is minted while a rejected mint can still be mined, even if its money has disappeared', async () => {
    const run = await owner({}, [100_000]);
    const [money] = (await stored(run)).coins;
    network.faults = [461];
    const answer = mint(run);
    await agree(run).catch(() => undefined);
    expect(await answer).toBe('payment-contested');
    const { id, signed } = (await stored(run)).payments[0]!;
    await markFailed(wallet, money!.txid, 'dropped', { at: Date.now(), unknown: 4, since: 0 });
    const read = await run.modules.handlers.walletHandlers(wallet)['activity/read']({ id });
    expect(read.canEnd).toBeUndefined();
    await network.faucet((await run.modules.overview.overview(wallet)).receiveAddress, 60_000);
    await run.modules.poll.refresh(wallet);
    // The money has returned, so the network accepts the first mint.
    expect(await mint(run)).toBe(`${signed!.txid}_0`);
    expect((await stored(run)).payments).toHaveLength(1);
  });

  test('a mint with insufficient funds shows the problem and the wallet’s address', async () => {
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
  test('a restored wallet shows its earlier token and reports it with a valid proof, and mints nothing', async () => {
    const { run, tokenId } = await restored();
    const answer = mint(run);
    const view = await Promise.race([answer, agree(run)]);
    expect(view).toMatchObject({ earlier: tokenId, feeSatoshis: '0', problem: null });
    expect(await answer).toBe(tokenId);
    expect(await isSettled(run)).toBe(true);
    const [report] = network.mints;
    expect(report).toMatchObject({ assetId: ID, tokenId });
    const bytes = fromHex(report?.rawtx ?? '');
    expect(`${txidOf(bytes)}_0`).toBe(tokenId);
    const { identity } = await run.modules.vault.publicKeys(wallet);
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
    // The token now belongs to this asset. A mint with the same symbol creates a different token.
    const other = '00000000-0000-4000-8000-00000000000b';
    network.assets.set(other, { ...ASSET, id: other });
    const another = mint(run, {}, other);
    expect((await agree(run)).earlier).toBeUndefined();
    expect(await another).not.toBe(tokenId);
  });

  test('a restored wallet doesn’t adopt a third party’s token, or a token with another supply', async () => {
    const { run } = await restored();
    network.assets.set(ID, { ...ASSET, initialSupply: '100051' });
    const { receiveAddress } = await run.modules.overview.overview(wallet);
    const lock = addressScript(receiveAddress, 'devnet');
    const token = { op: 'deploy+mint', amt: 100_051n, dec: 2, sym: 'Garden hours' } as const;
    await new Issuer(network).make([], [one(writeTokenScript(token, lock))]);
    const answer = mint(run);
    expect((await agree(run)).earlier).toBeUndefined();
    expect(await answer).toBe(network.mints[0]?.tokenId);
  });
});

test('the change of a token that the wallet minted can be sent immediately', async () => {
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
    const { asset, feeSatoshis, problem } = await handlers(wallet)['assets/quote']({ asset: { token, amount }, to });
    expect(problem).toBeNull();
    if (asset?.type !== 'token' || feeSatoshis === null) throw new Error('no quote');
    await handlers(wallet)['assets/send']({ requestId, asset: { token, units: asset.units }, to, feeSatoshis });
  }
  expect((await assetsOf(run)).tokens).toEqual([]);
});
