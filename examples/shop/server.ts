/** The shop's server side: it delivers once for each payment that the network knows. */

const SERVICE = process.env.SERVICE_URL ?? 'http://localhost:3000';
const PRINT = { address: 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb', satoshis: 200_000n, file: 'dunes-at-six.tiff' };

/** A shop that lives longer than its process keeps these in its database. */
const delivered = new Set<string>();

/** What the page is told: the file, or what is wrong. */
export type Answer = { file: string } | { problem: string };

/**
 * Delivers for a payment. The price is in BSV, so that the amount can be compared exactly. A shop with
 * several products gives each its own address, or its price.
 */
export async function order(txid: unknown): Promise<Answer> {
  if (typeof txid !== 'string' || delivered.has(txid)) return { problem: 'This payment has been used already.' };
  if ((await satoshisPaid(txid, PRINT.address)) < PRINT.satoshis) return { problem: 'The network does not know such a payment.' };
  // Nobody could come in between: since the check nothing was waited for.
  if (delivered.has(txid)) return { problem: 'This payment has been used already.' };
  delivered.add(txid);
  return { file: PRINT.file };
}

/** What a transaction pays an address, as far as it has not been spent since. */
async function satoshisPaid(txid: string, address: string): Promise<bigint> {
  const { wocUrl } = await getJson<{ wocUrl: string }>(`${SERVICE}/api/v2/network`);
  const { result } = await getJson<{ result: { tx_hash: string; value: number }[] }>(`${wocUrl}/address/${address}/unspent/all`);
  return result.filter(({ tx_hash: hash }) => hash === txid).reduce((sum, { value }) => sum + BigInt(value), 0n);
}

async function getJson<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return (await response.json()) as T;
}
