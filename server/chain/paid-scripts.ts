/** Determines which addresses have transactions, with one request to WhatsOnChain. */
import * as z from 'zod/mini';
import { p2pkhHash, writeAddress, type Network } from '../../protocol/bitcoin/address.ts';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { fetchJson } from './fetch-json.ts';
import { wocHeaders } from './transaction-source.ts';

/** Returns the scripts (hex) that occur in a transaction on the network, or null if that can't be determined. */
export type PaidScripts = (scripts: readonly string[]) => Promise<ReadonlySet<string> | null>;

/** Time limit (ms), shorter than the ten seconds that clients wait for a destination. */
const TIMEOUT_MS = 3_000;

const history = z.object({ result: z.nullable(z.array(z.object({ tx_hash: z.string() }))) });
const historiesOfMany = z.array(z.object({ address: z.string(), unconfirmed: history, confirmed: history }));

/**
 * Creates a function that queries which of up to 20 P2PKH scripts have transactions. The function returns null if the
 * index fails or omits a script.
 * @param wocUrl base URL of WhatsOnChain's API
 * @param wocKey API key
 */
export function createPaidScripts(wocUrl: string, network: Network, wocKey: string | null = null): PaidScripts {
  return async (scripts) => {
    const byAddress = new Map(
      scripts.map((script) => [writeAddress(p2pkhHash(fromHex(script)) as Uint8Array, network), script] as const),
    );
    try {
      const { status, body } = await fetchJson(
        `${wocUrl}/addresses/history/all`,
        { body: { addresses: [...byAddress.keys()] }, headers: wocHeaders(wocKey) },
        TIMEOUT_MS,
      );
      const listed = new Map(
        status === 200 ? historiesOfMany.parse(body).map((one) => [one.address, one] as const) : [],
      );
      const paid = new Set<string>();
      for (const [address, script] of byAddress) {
        const { unconfirmed, confirmed } = listed.get(address) ?? {};
        if (!unconfirmed?.result || !confirmed?.result) return null;
        if (unconfirmed.result.length + confirmed.result.length > 0) paid.add(script);
      }
      return paid;
    } catch {
      return null;
    }
  };
}
