/**
 * Several sites have the same output in their baskets, or internalize the same transaction. Each site has its own
 * record, which reveals nothing about the others.
 */
import { PrivateKey, ProtoWallet } from '@bsv/sdk';
import { describe, expect, test } from 'vitest';
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { PAYMENT_PROTOCOL_ID } from '../../../protocol/messages/permission.ts';
import {
  APP,
  appScript,
  call,
  called,
  output,
  signInput,
  transactionIn,
  UNLOCKING_BYTES,
} from '../../../testkit/wallet/applications.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { give, openWallet, PASSWORD, paymentWhere, stored } from '../../../testkit/wallet/wallet.ts';
import { Profile, type WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { countUnsent } from '../../app-log/records.ts';
import { hash160 } from '../../keys/keys.ts';
import { readTransaction } from '../../store/database.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const network = useNetwork();
const OTHER = 'https://other.example';
const SOMEBODY = toHex(p2pkhScript(new Uint8Array(20).fill(9)));
const SENDER = new PrivateKey(54_321);
const REMITTANCE = {
  derivationPrefix: 'cHJlZml4',
  derivationSuffix: 'c3VmZml4',
  senderIdentityKey: SENDER.toPublicKey().toString(),
};
const dbOf = ({ modules }: WorkerRun) => modules.database.database(wallet);

async function permitBasket(workerRun: WorkerRun, origin: string, basket: string): Promise<void> {
  const { grantPermissions } = await import('../../permissions/store.ts');
  await workerRun.modules.database.inTransaction(wallet, (tx) =>
    grantPermissions(wallet, tx, origin, [{ kind: 'basket', basket }]),
  );
}

/** Broadcasts a third party's transaction. */
async function arrive(outputs: [number, string][]): Promise<{ tx: number[]; txid: string }> {
  const payer = await openWallet(network, [2_000_000]);
  await give(payer, { origin: APP, currency: 'BSV', limit: 2_000_000n });
  const { tx, txid } = await called(payer, 'createAction', {
    description: 'send things',
    outputs: outputs.map(([satoshis, script]) => output(satoshis, script)),
    options: { randomizeOutputs: false, acceptDelayedBroadcast: false },
  });
  return { tx: tx!, txid: txid! };
}

const insertion = (outputIndex: number, basket: string, customInstructions: string) => ({
  outputIndex,
  protocol: 'basket insertion',
  insertionRemittance: { basket, tags: ['red'], customInstructions },
});
const bring = (workerRun: WorkerRun, origin: string, tx: readonly number[], ...outputs: object[]) =>
  call(workerRun, 'internalizeAction', { tx, outputs, description: 'what was sent', labels: ['inbox'] }, { origin });
const listed = async (workerRun: WorkerRun, origin: string, basket: string) =>
  (await called(workerRun, 'listOutputs', { basket, includeCustomInstructions: true }, { origin })).outputs.map(
    ({ outpoint, customInstructions }) => [outpoint, customInstructions],
  );
const spending = (thing: string) => ({
  description: 'spend the thing',
  inputs: [{ outpoint: thing, inputDescription: 'a thing', unlockingScriptLength: UNLOCKING_BYTES }],
  outputs: [output(700, SOMEBODY)],
  options: { acceptDelayedBroadcast: false },
});

/** Lets both sites create actions. Each site has its own baskets, plus a shared one. */
async function twoSites() {
  const { tx, txid } = await arrive([[5000, appScript(0)]]);
  const another = await arrive([[5000, appScript(0)]]);
  const workerRun = await openWallet(network, [500_000, 500_000]);
  for (const origin of [APP, OTHER]) await give(workerRun, { origin, currency: 'BSV', limit: 500_000n });
  await permitBasket(workerRun, APP, 'tickets');
  await permitBasket(workerRun, OTHER, 'loot');
  return { workerRun, tx, thing: `${txid}.0`, another };
}

describe('an output that two sites keep', () => {
  test("the output is in each site's basket, with that site's description", async () => {
    const { workerRun, tx, thing } = await twoSites();
    expect(await bring(workerRun, OTHER, tx, insertion(0, 'loot', 'mine'))).toEqual({ accepted: true });
    expect(await bring(workerRun, APP, tx, insertion(0, 'tickets', 'key 7'))).toEqual({ accepted: true });
    expect(await listed(workerRun, APP, 'tickets')).toEqual([[thing, 'key 7']]);
    expect(await listed(workerRun, OTHER, 'loot')).toEqual([[thing, 'mine']]);
    // Relinquishing a site's own entry doesn't affect the other site's.
    await called(workerRun, 'relinquishOutput', { basket: 'loot', output: thing }, { origin: OTHER });
    expect(await listed(workerRun, APP, 'tickets')).toEqual([[thing, 'key 7']]);
  });

  test('the output is listed once to each site, with that site’s description, if both sites use one basket', async () => {
    const { workerRun, tx, thing } = await twoSites();
    await bring(workerRun, OTHER, tx, insertion(0, 'things', 'mine'));
    await bring(workerRun, APP, tx, insertion(0, 'things', 'key 7'));
    expect(await listed(workerRun, APP, 'things')).toEqual([[thing, 'key 7']]);
    expect(await listed(workerRun, OTHER, 'things')).toEqual([[thing, 'mine']]);
    expect(await listed(workerRun, 'https://third.example', 'things')).toEqual([[thing, 'mine']]);
    for (const origin of [APP, OTHER]) {
      const tagged = await called(workerRun, 'listOutputs', { basket: 'things', tags: ['red'] }, { origin });
      expect([tagged.totalOutputs, tagged.outputs.length]).toEqual([1, 1]);
    }
  });

  test('a site can’t detect that another site already keeps the output', async () => {
    const { workerRun, tx, thing, another } = await twoSites();
    await bring(workerRun, APP, tx, insertion(0, 'tickets', 'key 7'));
    const told = [];
    for (const [place, given] of [
      [thing, tx],
      [`${another.txid}.0`, another.tx],
    ] as const) {
      const bringing = await bring(workerRun, OTHER, given, insertion(0, 'loot', 'mine'));
      const actions = await called(workerRun, 'listActions', { labels: [], includeOutputs: true }, { origin: OTHER });
      const created = await call(workerRun, 'createAction', spending(place), { origin: OTHER });
      const { reference } = ('signableTransaction' in created && created.signableTransaction) as { reference: string };
      await call(workerRun, 'abortAction', { reference }, { origin: OTHER });
      const relinquished = await call(
        workerRun,
        'relinquishOutput',
        { basket: 'loot', output: place },
        { origin: OTHER },
      );
      const unkept = await call(workerRun, 'createAction', spending(place), { origin: OTHER });
      const { outputs } = actions.actions.at(-1)!;
      told.push(JSON.stringify([bringing, outputs, Object.keys(created), relinquished, Object.keys(unkept)]));
    }
    expect(told[1]).toBe(told[0]);
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
  });

  test('the output stays free for one site while an action of the other waits for its signature', async () => {
    const { workerRun, tx, thing } = await twoSites();
    await bring(workerRun, OTHER, tx, insertion(0, 'loot', 'mine'));
    await bring(workerRun, APP, tx, insertion(0, 'tickets', 'key 7'));
    await called(workerRun, 'createAction', spending(thing), { origin: OTHER });
    expect(await listed(workerRun, OTHER, 'loot')).toEqual([]);
    expect(await listed(workerRun, APP, 'tickets')).toEqual([[thing, 'key 7']]);
    const { signableTransaction } = await called(workerRun, 'createAction', spending(thing));
    const { tx: unsigned, reference } = signableTransaction!;
    const unlockingScript = signInput(transactionIn(unsigned), 0, 5000);
    const { txid } = await called(workerRun, 'signAction', { reference, spends: { 0: { unlockingScript } } });
    // After the spending transaction is broadcast, the output is spent for both sites.
    const kept = await (await dbOf(workerRun)).getAll('appOutputs');
    expect(kept.map(({ status }) => status)).toEqual(['spent', 'spent']);
    const goneOf = async () =>
      (await (await dbOf(workerRun)).getAll('appLog')).filter(({ entry }) => entry.kind === 'output-gone');
    // An operator may drop an accepted transaction, so a restore needs the output's log entries until the spend is
    // confirmed.
    expect(await goneOf()).toEqual([]);
    await network.mine();
    const { id } = (await stored(workerRun)).payments.find(({ signed }) => signed?.txid === txid)!;
    await paymentWhere(workerRun, id, ({ height }) => height !== null);
    expect(await goneOf()).toHaveLength(2);
  });
});

const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

/** Starts a wallet with an account, always with the same recovery words. */
async function walletWith({ restored = false } = {}): Promise<WorkerRun> {
  const workerRun = await new Profile(network.url).start();
  await workerRun.modules.vault.createVault(wallet, WORDS, PASSWORD, restored);
  await workerRun.modules.client.registerAccount(wallet, 'alice', 'Alice');
  return workerRun;
}

async function lockedTo(workerRun: WorkerRun): Promise<string> {
  const { publicKey } = await new ProtoWallet(SENDER).getPublicKey({
    protocolID: [...PAYMENT_PROTOCOL_ID],
    keyID: `${REMITTANCE.derivationPrefix} ${REMITTANCE.derivationSuffix}`,
    counterparty: (await workerRun.modules.vault.publicKeys(wallet)).identity,
  });
  return toHex(p2pkhScript(hash160(fromHex(publicKey))));
}

/** Repeats the synchronization of applications' data until a value meets the expectation. */
const synced = ({ modules }: WorkerRun, value: () => Promise<number>) =>
  expect.poll(async () => {
    await modules.appSync.syncAppLog(wallet);
    return value();
  });

describe('a wallet restored from the words', () => {
  test.each([true, false])(
    "a payment and an action are restored, regardless of another site's records: %j",
    async (isAttacked) => {
      const first = await walletWith();
      const { tx, txid } = await arrive([
        [500_000, await lockedTo(first)],
        [600, appScript(0)],
      ]);
      const workerRun = await first.profile.start();
      await permitBasket(workerRun, OTHER, 'loot');
      // The wallet is lost before its sweep transaction is broadcast.
      network.faults = Array<'500'>(100).fill('500');
      const paid = { outputIndex: 0, protocol: 'wallet payment', paymentRemittance: REMITTANCE };
      expect(await bring(workerRun, APP, tx, paid, insertion(1, 'things', 'key 7'))).toEqual({ accepted: true });
      if (isAttacked) {
        await bring(workerRun, OTHER, tx, insertion(0, 'loot', 'mine'), insertion(1, 'loot', 'mine'));
        for (const vout of [0, 1])
          await called(workerRun, 'relinquishOutput', { basket: 'loot', output: `${txid}.${vout}` }, { origin: OTHER });
      }
      // On a busy machine, requests may time out and be repeated.
      await synced(workerRun, async () => countUnsent(readTransaction(await dbOf(workerRun)))).toBe(0);
      network.faults = [];
      const restored = await walletWith({ restored: true });
      const { overview } = restored.modules.overview;
      await synced(restored, async () => Number((await overview(wallet)).satoshis)).toBeGreaterThan(499_000);
      const { actions } = await called(restored, 'listActions', { labels: ['inbox'] });
      expect(actions.map((one) => one.txid)).toEqual([txid]);
      expect(await listed(restored, APP, 'things')).toEqual([[`${txid}.1`, 'key 7']]);
    },
  );
});
