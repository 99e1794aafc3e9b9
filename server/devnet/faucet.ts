/** Pays out the miner's coins in real transactions, which are verified like all others. */
import { LockingScript, P2PKH, Transaction } from '@bsv/sdk';
import { addressScript } from '../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Coin, Ledger } from './ledger/ledger.ts';
import type { LedgerNode } from './ledger/node.ts';
import { COINBASE_MATURITY, requiredFee } from './arc/policy.ts';

/** Maximum per call: 1 BSV. */
export const FAUCET_MAXIMUM = 100_000_000;

/** Maximum size of a transaction with one input (72-byte signature, compressed key) and two outputs, in bytes. */
const SIZE = 4 + 1 + (36 + 1 + 107 + 4) + 1 + 2 * 34 + 4;

/** Returns an unspent, mature coin of the miner that covers `satoshis` by itself, or null. */
function pickCoin(ledger: Ledger, hash: string, satoshis: bigint): Coin | null {
  for (const coin of ledger.coinsOf(hash)) {
    const mature = !coin.coinbase || ledger.height + 1 - (coin.height ?? 0) >= COINBASE_MATURITY;
    if (mature && coin.satoshis >= satoshis && !ledger.spend(coin.txid, coin.vout)) return coin;
  }
  return null;
}

/**
 * Sends `satoshis` to a test network address.
 * @returns the ID of the transaction, accepted but not mined yet
 * @throws ServiceError `invalid-request` (types), `invalid-recipient`, `invalid-amount` (not an integer from 1 to
 * 100,000,000), `service-unavailable` (closed, or writing failed)
 */
export async function pay(node: LedgerNode, address: unknown, satoshis: unknown): Promise<string> {
  if (typeof address !== 'string' || typeof satoshis !== 'number') throw new ServiceError('invalid-request');
  const recipient = addressScript(address, 'devnet');
  if (!Number.isSafeInteger(satoshis) || satoshis < 1 || satoshis > FAUCET_MAXIMUM) {
    throw new ServiceError('invalid-amount', {
      message: `The amount must be a whole number of satoshis from 1 to ${FAUCET_MAXIMUM}.`,
    });
  }
  const amount = BigInt(satoshis);
  const fee = requiredFee(SIZE);
  // Serialized so that two calls never spend the same coin.
  return node.exclusive(async () => {
    const { ledger, miner } = node;
    // If no mature coin is large enough, mines blocks. Each block makes another coinbase mature.
    let coin = pickCoin(ledger, miner.hash, amount + fee);
    while (!coin) {
      await node.mineNow(1);
      coin = pickCoin(ledger, miner.hash, amount + fee);
    }
    const bytes = await sign(node, coin, recipient, amount, coin.satoshis - amount - fee);
    return (await node.takeNow({ bytes, sources: null })).txid;
  });
}

async function sign(
  { miner }: LedgerNode,
  coin: Coin,
  recipient: Uint8Array,
  satoshis: bigint,
  change: bigint,
): Promise<Uint8Array> {
  const own = new LockingScript([], miner.lockingScript, undefined, false);
  const transaction = new Transaction();
  transaction.addInput({
    sourceTXID: coin.txid,
    sourceOutputIndex: coin.vout,
    sequence: 0xffff_ffff,
    unlockingScriptTemplate: new P2PKH().unlock(miner.key, 'all', false, Number(coin.satoshis), own),
  });
  transaction.addOutput({
    satoshis: Number(satoshis),
    lockingScript: new LockingScript([], recipient, undefined, false),
  });
  if (change > 0n) transaction.addOutput({ satoshis: Number(change), lockingScript: own });
  await transaction.sign();
  return transaction.toUint8Array();
}
