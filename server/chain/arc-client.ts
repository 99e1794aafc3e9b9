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

/** Where ARC reports changes, and the bearer token that it must present there. */
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
   * Gives the network a transaction, and says what ARC then knows of it; null where ARC refused it and has no such
   * transaction. One that the network had already is as good as a new one.
   * @param hex the transaction, raw or as BEEF with its ancestors, which ARC checks
   * @throws ServiceError `network-unavailable`: it may have been taken all the same
   */
  broadcast(hex: string, txid: string): Promise<ArcTransaction | null>;
  /**
   * Registers a callback for a transaction that ARC already has, by submitting the same bytes once more.
   * @throws ServiceError `network-unavailable`
   */
  askCallback(rawtx: Uint8Array, callback: ArcCallback): Promise<void>;
  /**
   * What miners ask for now.
   * @throws ServiceError `network-unavailable`
   */
  feePolicy(): Promise<FeePolicy>;
}

/** How long ARC waits for a node's answer; shorter than the time that we wait for ARC. */
const WAIT_SECONDS = '5';

/** @param baseUrl ARC's base, without `/v1` */
export function createArcClient(baseUrl: string): ArcClient {
  const read = <S extends z.ZodMiniType>(schema: S, status: number, body: unknown): z.output<S> => {
    const parsed = schema.safeParse(body);
    if (status !== 200 || !parsed.success)
      throw new ServiceError('network-unavailable', { detail: `ARC answered ${status} with an unexpected body` });
    return parsed.data;
  };
  const readTransaction = (status: number, body: unknown, txid: string): ArcTransaction => {
    const found = read(arcTransaction, status, body);
    if (found.txid !== txid)
      throw new ServiceError('network-unavailable', { detail: 'ARC answered for another transaction' });
    return found;
  };
  const transaction = async (txid: string): Promise<ArcTransaction | null> => {
    const { status, body } = await fetchJson(`${baseUrl}/v1/tx/${txid}`);
    return status === 404 ? null : readTransaction(status, body, txid);
  };
  return {
    transaction,
    async broadcast(hex, txid) {
      const { status, body } = await fetchJson(`${baseUrl}/v1/tx`, {
        body: { rawTx: hex },
        headers: { 'X-WaitFor': 'SEEN_ON_NETWORK', 'X-MaxTimeout': WAIT_SECONDS },
      });
      // ARC may reject a transaction that was mined long ago, or was just submitted by someone else, because its inputs
      // are spent. So its status is queried.
      if (status >= 400 && status < 500 && status !== 429) return transaction(txid);
      return readTransaction(status, body, txid);
    },
    async askCallback(rawtx, { url, token }) {
      const rawTx = Buffer.from(rawtx.buffer, rawtx.byteOffset, rawtx.byteLength).toString('hex');
      const { status } = await fetchJson(`${baseUrl}/v1/tx`, {
        body: { rawTx },
        headers: { 'X-CallbackUrl': url, 'X-CallbackToken': token },
      });
      if (status !== 200)
        throw new ServiceError('network-unavailable', {
          detail: `ARC answered ${status} to a transaction that it has`,
        });
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
