/** Fetches transactions, and the spenders of their outputs, from WhatsOnChain's API. */
import { fromHex, isHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { parseTransaction, txidOf, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import { fetchText } from './fetch-json.ts';

/** Returns the headers for WhatsOnChain, which expects the API key without a scheme. */
export const wocHeaders = (key: string | null): Record<string, string> => (key === null ? {} : { Authorization: key });

/** Maximum response size in hex digits: a transaction of four million bytes. */
const MAX_HEX = 8_000_000;
/** Maximum size of a response about an output's spender, in characters. */
const MAX_SPENDER = 10_000;

export interface TransactionSource {
  /**
   * Fetches a transaction and its size in bytes, or null if there is no such transaction.
   * @throws ServiceError `network-unavailable`; `invalid-transaction` if its bytes are malformed
   */
  transaction(txid: string): Promise<{ transaction: Transaction; bytes: number } | null>;
  /** Returns the unverified txid of an output's spender, or null. @throws ServiceError `network-unavailable` */
  spender(txid: string, vout: number): Promise<string | null>;
}

/**
 * Creates a source that verifies only that the bytes hash to the txid.
 * @param wocUrl base URL of WhatsOnChain's API
 * @param wocKey API key
 */
export function createTransactionSource(wocUrl: string, wocKey: string | null = null): TransactionSource {
  return {
    async transaction(txid) {
      const { status, text } = await fetchText(`${wocUrl}/tx/${txid}/hex`, MAX_HEX, wocHeaders(wocKey));
      const hex = text.trim();
      if (status === 404) return null;
      if (status !== 200 || hex === '' || !isHex(hex))
        throw new ServiceError('network-unavailable', {
          detail: `the index responded with ${status} for a transaction`,
        });
      const bytes = fromHex(hex);
      if (txidOf(bytes) !== txid)
        throw new ServiceError('network-unavailable', { detail: 'the index returned another transaction' });
      return { transaction: parseTransaction(bytes), bytes: bytes.length };
    },
    async spender(txid, vout) {
      const { status, text } = await fetchText(`${wocUrl}/tx/${txid}/${vout}/spent`, MAX_SPENDER, wocHeaders(wocKey));
      if (status === 404) return null;
      const id = status === 200 ? /"txid"\s*:\s*"([0-9a-f]{64})"/.exec(text)?.[1] : undefined;
      if (id === undefined)
        throw new ServiceError('network-unavailable', { detail: `the index responded with ${status} for a spender` });
      return id;
    },
  };
}
