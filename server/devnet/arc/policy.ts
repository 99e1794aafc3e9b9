/**
 * The ledger's parameters: Bitcoin's consensus values, regtest's proof of work, and the current policy of public ARC
 * nodes.
 */

/** Fee rate: `satoshis` per `bytes`, rounded up per transaction. */
export const MINING_FEE = { satoshis: 100, bytes: 1000 } as const;

/** Maximum transaction size in bytes. */
export const MAX_TRANSACTION_SIZE = 10_000_000;

/** Maximum size of an executed script in bytes. Data outputs are never executed. */
export const MAX_SCRIPT_SIZE = 500_000;

/** Maximum size of a number in script arithmetic, in bytes (the node's default `maxscriptnumlengthpolicy`). */
export const MAX_NUMBER_SIZE = 10_000;

/** ARC's value for no limit on signature operations. */
export const MAX_SIGOPS = 4_294_967_295;

/** ARC's `minTxSizeBytes`. A 64-byte transaction could pose as a merkle node, and none under 61 bytes is useful. */
export const MIN_TRANSACTION_SIZE = 61;

/** Maximum total size of a script's stack in bytes: larger than any script, far smaller than the server's memory. */
export const SCRIPT_MEMORY = 16_000_000;

/** Maximum run time of an input's scripts (ms). An ordinary payment takes 1 or 2 ms. */
export const SCRIPT_TIME_MS = 2_000;

/**
 * Confirmations that a coinbase needs before its output can be spent. The coinbase's own block counts, so the first
 * possible spend is at height + 100.
 */
export const COINBASE_MATURITY = 100;

/** Block subsidy in satoshis, which is never halved. */
export const SUBSIDY = 5_000_000_000n;

/** Number of blocks mined at the first start, enough to give the faucet a hundred mature coinbases. */
export const FIRST_BLOCKS = 200;

/** Regtest's easiest target, in compact encoding. */
export const BITS = 0x207fffff;

/** A lock time below this is a block height, otherwise seconds since 1970 (Bitcoin's LOCKTIME_THRESHOLD). */
export const LOCK_TIME_THRESHOLD = 500_000_000;

/** Returns the minimum fee for a transaction of `size` bytes, in satoshis. */
export function requiredFee(size: number): bigint {
  return (BigInt(size) * BigInt(MINING_FEE.satoshis) + BigInt(MINING_FEE.bytes) - 1n) / BigInt(MINING_FEE.bytes);
}
