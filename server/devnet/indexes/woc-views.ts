import { createHash } from 'node:crypto';
import type { Block, Coin, Ledger } from '../ledger/ledger.ts';

/** Regtest's difficulty as every node prints it: 0xffff·2^208 / target. */
const DIFFICULTY = 4.656542373906925e-10;

export function headerView(ledger: Ledger, block: Block): Record<string, unknown> {
  const { header, height } = block;
  const next = ledger.block(height + 1);
  return {
    hash: block.hash,
    confirmations: ledger.height - height + 1,
    size: block.size,
    height,
    version: header.version,
    versionHex: header.version.toString(16).padStart(8, '0'),
    merkleroot: header.merkleRoot,
    num_tx: block.txids.length,
    time: header.time,
    mediantime: block.medianTime,
    nonce: header.nonce,
    bits: header.bits.toString(16).padStart(8, '0'),
    difficulty: DIFFICULTY,
    chainwork: block.work.toString(16).padStart(64, '0'),
    ...(height > 0 ? { previousblockhash: header.previous } : {}),
    ...(next ? { nextblockhash: next.hash } : {}),
  };
}

export function chainView(ledger: Ledger): Record<string, unknown> {
  const { tip } = ledger;
  return {
    chain: 'test',
    blocks: ledger.height,
    headers: ledger.height,
    bestblockhash: tip?.hash ?? '',
    difficulty: DIFFICULTY,
    mediantime: ledger.medianTime,
    verificationprogress: 1,
    chainwork: (tip?.work ?? 0n).toString(16).padStart(64, '0'),
    pruned: false,
  };
}

/** A coin in an address's list. JSON numbers are exact for satoshis up to 21 million BSV. */
export interface CoinView {
  /** Only confirmed coins have `height`. Unconfirmed coins have `hex`, the locking script, instead. */
  height?: number;
  hex?: string;
  tx_pos: number;
  tx_hash: string;
  value: number;
  isSpentInMempoolTx: boolean;
  status?: 'confirmed' | 'unconfirmed';
}

/**
 * Returns the coins locked to a public key hash: confirmed ones by height, then unconfirmed ones. As on WhatsOnChain, a
 * confirmed coin that an unconfirmed transaction spends remains in the list, with a flag.
 */
export function coinViews(ledger: Ledger, hash: string): CoinView[] {
  const views: CoinView[] = [];
  for (const coin of ledger.coinsOf(hash)) {
    const spent = ledger.spend(coin.txid, coin.vout) !== undefined;
    if (coin.height !== null || !spent) views.push(coinView(coin, spent));
  }
  return views.sort((a, b) => (a.height ?? Number.MAX_SAFE_INTEGER) - (b.height ?? Number.MAX_SAFE_INTEGER));
}

function coinView(coin: Coin, spent: boolean): CoinView {
  const view = { tx_pos: coin.vout, tx_hash: coin.txid, value: Number(coin.satoshis), isSpentInMempoolTx: spent };
  if (coin.height === null)
    return { ...view, hex: Buffer.from(coin.lockingScript).toString('hex'), status: 'unconfirmed' };
  return { height: coin.height, ...view, status: 'confirmed' };
}

/** Returns WhatsOnChain's `script`: the script's SHA-256, byte-reversed hex (ElectrumX's script hash). */
export function scriptHash(lockingScript: Uint8Array): string {
  return createHash('sha256').update(lockingScript).digest().reverse().toString('hex');
}
