import { vi } from 'vitest';
import { p2pkhScript, writeAddress } from '../../../../protocol/bitcoin/address.ts';
import { fromHex, toHex } from '../../../../protocol/bitcoin/bytes.ts';
import { parseTransactionHex } from '../../../../protocol/bitcoin/transaction.ts';
import { testCoin, testPair, testScript } from '../../../../testkit/wallet/coins.ts';
import { useNetwork } from '../../../../testkit/network/network.ts';
import { stored } from '../../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { signTransaction } from '../../../transaction/sign.ts';
import { hash160, publicKeyHashes, type Chain } from '../../../keys/keys.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

export const network = useNetwork();
const ownFetch = globalThis.fetch;
const SENDER = testPair(3);
export const until = (holds: () => unknown) => vi.waitFor(holds);

export const balance = async (workerRun: WorkerRun) => (await workerRun.modules.store.balance(wallet)).satoshis;
export const sweeps = async (workerRun: WorkerRun) => (await stored(workerRun)).payments.filter(({ sweep }) => sweep);

export async function scriptAt(chain: Chain, index: number): Promise<string> {
  const { publicKeys } = await import('../../../vault/vault.ts');
  const [hash] = publicKeyHashes(await publicKeys(wallet), chain, [index]);
  return toHex(p2pkhScript(hash as Uint8Array));
}

/** Makes a third party pay 30,000 satoshis. The service reports the payment if it issued the address. */
export async function arrive(chain: Chain, index: number): Promise<void> {
  const script = await scriptAt(chain, index);
  const from = await network.faucet(writeAddress(hash160(SENDER.publicKey), 'devnet'), 50_000);
  const hex = await (await ownFetch(`${network.url}/devnet/woc/v1/bsv/test/tx/${from}/hex`)).text();
  const vout = parseTransactionHex(hex).outputs.findIndex(
    ({ lockingScript }) => toHex(lockingScript) === toHex(testScript(3)),
  );
  const { bytes, txid } = signTransaction(
    {
      inputs: [testCoin(50_000n, { index: 3, txid: from, vout })],
      outputs: [{ satoshis: 30_000n, lockingScript: fromHex(script) }],
      changeIndexes: [],
      feeSatoshis: 20_000n,
    },
    () => SENDER,
  );
  const rawtx = toHex(bytes);
  await ownFetch(`${network.url}/devnet/arc/v1/tx`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rawTx: rawtx }),
  });
  if (chain === 'service') await report(txid, rawtx, [{ script, satoshis: '30000', index }]);
}

type Named = { script: string; satoshis: string; index: number };

/** Makes the wallet's service report outputs of a transaction, and the wallet fetch them. */
export async function report(txid: string, rawtx: string, outputs: Named[]): Promise<void> {
  network.arrivals.inbox.push({
    id: crypto.randomUUID(),
    txid,
    rawtx,
    satoshis: String(outputs.reduce((sum, { satoshis }) => sum + Number(satoshis), 0)),
    outputs,
    paymentId: crypto.randomUUID(),
    sender: 'bob@two.example',
    senderVerified: true,
    note: null,
    createdAt: '2026-01-02T12:00:00.000Z',
  });
  await (await import('../../../received/fetch.ts')).receive(wallet);
}
