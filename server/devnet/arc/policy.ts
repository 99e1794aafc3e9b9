/**
 * The ledger's parameters: Bitcoin's consensus values, regtest's proof of work, and the policy of public ARC nodes
 * today.
 */

/** The price of block space: `satoshis` for `bytes`, rounded up for the whole transaction. */
export const MINING_FEE = { satoshis: 100, bytes: 1000 } as const;

/** Maximum size of a transaction in bytes. */
export const MAX_TRANSACTION_SIZE = 10_000_000;

/** Maximum size of an executed script in bytes. Data outputs are never executed. */
export const MAX_SCRIPT_SIZE = 500_000;

/** Maximum length of a number in script arithmetic, in bytes (a node's default for `maxscriptnumlengthpolicy`). */
export const MAX_NUMBER_SIZE = 10_000;

/** ARC's value for unlimited signature operations. */
export const MAX_SIGOPS = 4_294_967_295;

/** ARC's `minTxSizeBytes`: 64-byte transactions could pose as merkle nodes, and nothing useful is under 61 bytes. */
export const MIN_TRANSACTION_SIZE = 61;

/** Maximum total size of a script's stack items in bytes: above the largest script, well below the server's memory. */
export const SCRIPT_MEMORY = 16_000_000;

/** Maximum run time of one input's scripts in milliseconds. A payment's take one or two. */
export const SCRIPT_TIME_MS = 2_000;

/** Blocks on top of a coinbase, its own included, before its output may be spent: at height + 100 at the earliest. */
export const COINBASE_MATURITY = 100;

/** New satoshis in each block. There is no halving. */
export const SUBSIDY = 5_000_000_000n;

/** Blocks mined at first start: a hundred mature coinbases for the faucet. */
export const FIRST_BLOCKS = 200;

/** Regtest's easiest target, compact form. */
export const BITS = 0x207fffff;

/** A lock time below this is a height, otherwise a time in seconds since 1970 (Bitcoin's LOCKTIME_THRESHOLD). */
export const LOCK_TIME_THRESHOLD = 500_000_000;

/** Minimum fee for a transaction of `size` bytes, in satoshis. */
export function requiredFee(size: number): bigint {
  return (BigInt(size) * BigInt(MINING_FEE.satoshis) + BigInt(MINING_FEE.bytes) - 1n) / BigInt(MINING_FEE.bytes);
}
