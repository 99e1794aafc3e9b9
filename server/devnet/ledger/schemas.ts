/** Request and response bodies of devnet's routes, with the field names of ARC and WhatsOnChain. */
import * as z from 'zod/mini';
import { arcadeError, arcError, arcPolicy, arcTransaction } from '../../../protocol/network/arc.ts';
import { FAULT_NAMES } from '../arc/faults.ts';

const text = z.string();
const whole = z.number();

/** A transaction in hex: raw, Extended Format (BRC-30) or BEEF (BRC-62). */
export const rawTx = z.object({ rawTx: text });
export const rawTxs = z.array(rawTx);
export const submitted = z.object({ ...arcTransaction.shape, status: whole, title: text });
export const refused = z.object({ ...arcError.shape, type: text, instance: z.nullable(text) });
/** ARC's response if the required key is missing. */
export const gated = z.object({ status: whole, title: text });
export const submittedList = z.array(z.union([submitted, refused]));
export const policy = z.object({ ...arcPolicy.shape, timestamp: text });
export const health = z.object({ healthy: z.boolean(), reason: text });

export const arcadeSubmitted = z.object({ txid: text, status: whole, txStatus: text });
export const arcadeRefused = arcadeError;
export const arcadeHealth = z.object({ healthy: z.boolean(), version: text, status: text });

/** Confirmed coins have `height`, and unconfirmed coins have `hex` (the locking script). Values are in satoshis. */
const coin = z.object({
  height: z.optional(whole),
  hex: z.optional(text),
  tx_pos: whole,
  tx_hash: text,
  value: whole,
  isSpentInMempoolTx: z.boolean(),
  status: z.optional(z.enum(['confirmed', 'unconfirmed'])),
});
/** An address's coins. `script` is the script hash. */
export const coins = z.object({
  address: text,
  script: text,
  result: z.array(coin),
  error: text,
  nextPageToken: z.optional(text),
});
export const coinsOfMany = z.array(z.object({ ...coins.shape, unspent: z.optional(z.array(coin)) }));
/** Transactions that pay an address or spend its coins, with their heights if confirmed. */
const historyPage = z.object({
  result: z.array(z.object({ tx_hash: text, height: z.optional(whole) })),
  error: text,
  nextPageToken: z.optional(text),
});
export const history = z.object({ address: text, script: text, ...historyPage.shape });
export const historyOfMany = z.array(
  z.object({ address: text, script: text, unconfirmed: historyPage, confirmed: historyPage }),
);
export const addresses = z.object({ addresses: z.array(text) });
export const txids = z.object({ txids: z.array(text) });
/**
 * Block fields are missing while the transaction is unconfirmed. `error` is `unknown` if the index doesn't have the
 * transaction.
 */
export const transactionStates = z.array(
  z.object({
    txid: text,
    blockhash: z.optional(text),
    blockheight: z.optional(whole),
    blocktime: z.optional(whole),
    confirmations: z.optional(whole),
    error: z.optional(text),
  }),
);
const utxo = z.object({ txid: text, vout: whole });
export const utxos = z.object({ utxos: z.array(utxo) });
/** `spentIn` is missing while the output is unspent. */
export const spentOutputs = z.array(
  z.object({
    utxo,
    spentIn: z.optional(z.object({ txid: text, vin: whole, status: z.enum(['confirmed', 'unconfirmed']) })),
    error: text,
  }),
);
export const pageQuery = z.object({ token: z.optional(text), limit: z.optional(text) });
export const used = z.boolean();
export const proofs = z.nullable(z.array(z.object({ index: whole, txOrId: text, target: text, nodes: z.array(text) })));
export const spender = z.object({ txid: text, vin: whole, status: z.enum(['confirmed', 'unconfirmed']) });
export const txhex = z.object({ txhex: text });
export const header = z.object({
  hash: text,
  confirmations: whole,
  size: whole,
  height: whole,
  version: whole,
  versionHex: text,
  merkleroot: text,
  num_tx: whole,
  time: whole,
  mediantime: whole,
  nonce: whole,
  bits: text,
  difficulty: whole,
  chainwork: text,
  previousblockhash: z.optional(text),
  nextblockhash: z.optional(text),
});
export const headers = z.array(header);
export const chaintracksHeader = z.object({
  hash: text,
  height: whole,
  version: whole,
  previousHash: text,
  merkleRoot: text,
  time: whole,
  bits: whole,
  nonce: whole,
});
export const chainInfo = z.object({
  chain: text,
  blocks: whole,
  headers: whole,
  bestblockhash: text,
  difficulty: whole,
  mediantime: whole,
  verificationprogress: whole,
  chainwork: text,
  pruned: z.boolean(),
});
export const exchangeRate = z.object({ currency: text, rate: whole, time: whole });

/** `bsv20` selects outputs with tokens instead of those without. */
export const ordinalsQuery = z.object({ bsv20: z.optional(text), limit: z.optional(text), offset: z.optional(text) });
/** Amounts are decimal strings. `status` is 1 if valid, otherwise -1. */
const tokenFields = {
  id: text,
  op: text,
  amt: text,
  status: whole,
  sym: z.optional(text),
  dec: z.optional(whole),
  icon: z.optional(text),
};
const place = { txid: text, vout: whole, outpoint: text, owner: z.nullable(text), height: z.nullable(whole) };
export const token = z.object({ ...tokenFields, ...place });
export const tokenOutput = z.object({ ...tokenFields, ...place, reason: z.nullable(text) });
export const oneSatOutputs = z.array(
  z.object({
    ...place,
    satoshis: whole,
    script: text,
    spend: text,
    origin: z.object({ outpoint: text }),
    data: z.object({
      insc: z.optional(z.object({ file: z.object({ type: text }) })),
      bsv20: z.optional(z.object(tokenFields)),
    }),
  }),
);
export const ordinalsError = z.object({ message: text });

/** `from` is the last `score` of the previous page. Other options of 1sat-stack are ignored. */
export const stackQuery = z.object({ limit: z.optional(text), from: z.optional(text) });
export const stackOutput = z.object({
  outpoint: text,
  score: whole,
  satoshis: whole,
  blockHeight: z.optional(whole),
  data: z.optional(z.object({ origin: z.object({ outpoint: text }) })),
});
export const stackOutputs = z.array(stackOutput);
export const stackToken = z.object({
  token: z.object({
    id: text,
    amt: text,
    dec: whole,
    sym: z.optional(text),
    icon: z.optional(text),
    owner: z.nullable(text),
  }),
});

/** A test network address, and up to 100,000,000 satoshis. */
export const faucetRequest = z.object({ address: text, satoshis: z.int() });
export const faucetResponse = z.object({ txid: text });
/** All faults of one operator, which replace the operator's previous faults. */
export const faultsRequest = z.strictObject({
  at: z.enum(['arc', 'arcade']),
  faults: z
    .array(
      z.strictObject({
        name: z.enum(FAULT_NAMES),
        times: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000))),
        seconds: z.optional(z.int().check(z.minimum(0), z.maximum(3_600))),
        key: z.optional(text.check(z.maxLength(200))),
        code: z.optional(z.int().check(z.minimum(460), z.maximum(476))),
        reason: z.optional(text.check(z.maxLength(200))),
        limit: z.optional(z.int().check(z.minimum(1), z.maximum(1_000))),
      }),
    )
    .check(z.maxLength(20)),
});
export const faultsResponse = z.object({ faults: whole });
export const mineRequest = z.object({ blocks: z.int() });
export const mineResponse = z.object({ height: whole, hash: text });
