import { vi } from 'vitest';
import { p2pkhScript, writeAddress } from '../../protocol/bitcoin/address.ts';
import { writeTokenScript, type Token } from '../../protocol/assets/bsv21/token.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import type { ReceivedTransaction } from '../../protocol/http/received.ts';
import { parseTransactionHex } from '../../protocol/bitcoin/transaction.ts';
import { type Issuer, one } from '../../testkit/wallet/assets.ts';
import type { TestCoin } from '../../server/devnet/test-ledger.ts';
import { type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { testCoin, testPair, testScript } from '../../testkit/wallet/coins.ts';
import { signTransaction, type Signed } from '../transaction/sign.ts';
import { hash160, publicKeyHashes } from '../keys/keys.ts';
import { wallet } from '../../testkit/wallet/current.ts';

export const BOB = 'bob@two.example';
const SENDER = testPair(3);
export const SENDER_ADDRESS = writeAddress(hash160(SENDER.publicKey), 'devnet');
// The test itself uses this for its requests, to bypass the worker's `fetch`.
const ownFetch = globalThis.fetch;

export const network = useNetwork();

/** Returns the scripts of addresses issued by the service, given their indexes. */
export async function serviceScripts(...indexes: number[]): Promise<string[]> {
  const { publicKeys } = await import('../vault/vault.ts');
  return publicKeyHashes(await publicKeys(wallet), 'service', indexes).map((hash) => toHex(p2pkhScript(hash)));
}

export const hexOf = async (txid: string) =>
  (await ownFetch(`${network.url}/devnet/woc/v1/bsv/test/tx/${txid}/hex`)).text();

/** Signs a third party's transaction that pays this wallet. */
export async function signed(
  outputs: { index: number; satoshis: number }[],
  funds = 100_000,
  version = 1,
): Promise<Signed> {
  const txid = await network.faucet(SENDER_ADDRESS, funds);
  const vout = parseTransactionHex(await hexOf(txid)).outputs.findIndex(
    ({ lockingScript }) => toHex(lockingScript) === toHex(testScript(3)),
  );
  const scripts = await serviceScripts(...outputs.map(({ index }) => index));
  const paid = outputs.map(({ satoshis }, i) => ({
    satoshis: BigInt(satoshis),
    lockingScript: fromHex(scripts[i] as string),
  }));
  const rest = {
    satoshis: BigInt(funds - 1000 - outputs.reduce((sum, { satoshis }) => sum + satoshis, 0)),
    lockingScript: testScript(3),
  };
  return signTransaction(
    {
      inputs: [testCoin(BigInt(funds), { index: 3, txid, vout })],
      outputs: [...paid, rest],
      changeIndexes: [],
      feeSatoshis: 1000n,
      version,
    },
    () => SENDER,
  );
}

/** Returns a transaction as the service reports it. */
export async function said(
  { bytes, txid }: Pick<Signed, 'bytes' | 'txid'>,
  outputs: { index: number; satoshis: number }[],
  more: Partial<ReceivedTransaction> = {},
): Promise<ReceivedTransaction> {
  const scripts = await serviceScripts(...outputs.map(({ index }) => index));
  return {
    id: crypto.randomUUID(),
    txid,
    rawtx: toHex(bytes),
    satoshis: String(outputs.reduce((sum, { satoshis }) => sum + satoshis, 0)),
    outputs: outputs.map(({ index, satoshis }, i) => ({
      script: scripts[i] as string,
      satoshis: String(satoshis),
      index,
    })),
    paymentId: crypto.randomUUID(),
    sender: BOB,
    senderVerified: true,
    note: 'For the concert',
    createdAt: '2026-01-02T12:00:00.000Z',
    ...more,
  };
}

/** Pays the wallet as a third party. If `on` is `its way`, the network doesn't have the transaction yet. */
export async function arrive(
  outputs: { index: number; satoshis: number }[],
  more: Partial<ReceivedTransaction> = {},
  on: 'network' | 'its way' = 'network',
  version = 1,
): Promise<ReceivedTransaction> {
  const transaction = await signed(outputs, 100_000, version);
  if (on === 'network')
    await ownFetch(`${network.url}/devnet/arc/v1/tx`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ rawTx: toHex(transaction.bytes) }),
    });
  const one = await said(transaction, outputs, more);
  network.arrivals.inbox.push(one);
  return one;
}

/** Sends a token, valid or forged, to an address issued by the service. */
export async function arriveHeld(
  issuer: Issuer,
  index: number,
  coins: readonly TestCoin[],
  token: Token,
  more: Partial<ReceivedTransaction> = {},
): Promise<ReceivedTransaction> {
  const [script = ''] = await serviceScripts(index);
  const [made] = await issuer.make(coins, [one(writeTokenScript(token, fromHex(script)))]);
  const bytes = fromHex(await hexOf(made?.txid ?? ''));
  const arrived = await said({ bytes, txid: made?.txid ?? '' }, [{ index, satoshis: 1 }], more);
  network.arrivals.inbox.push(arrived);
  return arrived;
}

export const until = (holds: () => unknown) => vi.waitFor(holds);
export const receive = async (again = false) => (await import('./fetch.ts')).receive(wallet, { again });
export const handlers = (workerRun: WorkerRun) => workerRun.modules.handlers.walletHandlers(wallet);
export const activity = async (workerRun: WorkerRun, search = '') =>
  (await handlers(workerRun)['activity/list']({ limit: 20, search })).items.filter(
    ({ direction }) => direction === 'received',
  );
export const satoshis = async (workerRun: WorkerRun) => (await workerRun.modules.store.balance(wallet)).satoshis;
export const refreshed = async (workerRun: WorkerRun) => workerRun.modules.poll.refresh(wallet);
