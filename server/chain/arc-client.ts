/** The client of ARC (bitcoin-sv/arc, HTTP API v1): what the network says of a transaction, and what it charges. */
import type * as z from 'zod/mini';
import { arcPolicy, arcTransaction, type ArcTransaction } from '../../protocol/arc.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { fetchJson } from './fetch-json.ts';

/** What a mining fee is: `satoshis` for `bytes`. */
export interface FeePolicy {
  satoshis: number;
  bytes: number;
}

/** Where ARC is to tell of changes, and the bearer token that it is to show there. */
export interface ArcCallback {
  url: string;
  token: string;
}

/** ARC as the service uses it. */
export interface ArcClient {
  /**
   * What ARC knows of a transaction, or null where it knows none.
   * @throws ServiceError `network-unavailable`
   */
  transaction(txid: string): Promise<ArcTransaction | null>;
  /**
   * Has ARC call back about a transaction that it has already: the same bytes are handed in once more.
   * @throws ServiceError `network-unavailable`
   */
  askCallback(rawtx: Uint8Array, callback: ArcCallback): Promise<void>;
  /**
   * What miners ask for now.
   * @throws ServiceError `network-unavailable`
   */
  feePolicy(): Promise<FeePolicy>;
}

/** @param baseUrl ARC's base, without `/v1` */
export function createArcClient(baseUrl: string): ArcClient {
  const read = <S extends z.ZodMiniType>(schema: S, status: number, body: unknown): z.output<S> => {
    const parsed = schema.safeParse(body);
    if (status !== 200 || !parsed.success) throw new ServiceError('network-unavailable', { detail: `ARC answered ${status} with an unexpected body` });
    return parsed.data;
  };
  return {
    async transaction(txid) {
      const { status, body } = await fetchJson(`${baseUrl}/v1/tx/${txid}`);
      if (status === 404) return null;
      const found = read(arcTransaction, status, body);
      if (found.txid !== txid) throw new ServiceError('network-unavailable', { detail: 'ARC answered for another transaction' });
      return found;
    },
    async askCallback(rawtx, { url, token }) {
      const rawTx = Buffer.from(rawtx.buffer, rawtx.byteOffset, rawtx.byteLength).toString('hex');
      const { status } = await fetchJson(`${baseUrl}/v1/tx`, { body: { rawTx }, headers: { 'X-CallbackUrl': url, 'X-CallbackToken': token } });
      if (status !== 200) throw new ServiceError('network-unavailable', { detail: `ARC answered ${status} to a transaction that it has` });
    },
    async feePolicy() {
      const { status, body } = await fetchJson(`${baseUrl}/v1/policy`);
      const { satoshis, bytes } = read(arcPolicy, status, body).policy.miningFee;
      const sane = Number.isSafeInteger(satoshis) && Number.isSafeInteger(bytes) && satoshis >= 0 && bytes > 0;
      if (!sane) throw new ServiceError('network-unavailable', { detail: 'ARC named no usable fee' });
      return { satoshis, bytes };
    },
  };
}
