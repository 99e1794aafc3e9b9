/**
 * The client of the index of 1Sat ordinals (GorillaPool's interface; the service of a devnet has the same). It finds what
 * carries tokens or ordinals: other indexes list outputs by their script, and an inscription makes that another one. Each
 * output that it names is read from its own transaction; what it says of origins, and of tokens that the wallet cannot
 * follow back itself, is its word alone.
 */
import * as z from 'zod/mini';
import type { Network } from '../../../protocol/address.ts';
import { MAX_DECIMALS, readTokenAmount, readTokenId } from '../../../protocol/bsv21/token.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import { readSettings, writeSettings } from '../settings.ts';
import { parseJson, send } from './http.ts';
import { baseOf } from './network.ts';

const PRESETS: Record<Network, string | null> = {
  mainnet: 'https://ordinals.gorillapool.io',
  testnet: 'https://testnet.ordinals.gorillapool.io',
  devnet: null,
};

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 4_000_000;
/** Outputs of one address at a time, and how many at most. */
const PAGE = 100;
const MOST_PAGES = 5;

const outpoint = z.string().check(z.regex(/^[0-9a-f]{64}_\d{1,10}$/));
const output = z.object({
  txid: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  vout: z.int(),
  satoshis: z.number(),
  height: z.nullish(z.number()),
  origin: z.nullish(z.object({ outpoint: z.nullish(z.string()) })),
});
const judged = z.object({ status: z.nullish(z.number()), id: z.nullish(z.string()) });
const token = z.object({
  sym: z.nullish(z.string().check(z.maxLength(1024))),
  dec: z.nullish(z.int()),
  amt: z.nullish(z.string()),
  icon: z.nullish(z.string()),
});

/** An unspent output of one satoshi, by the index. `height` is 0 while unconfirmed; `origin` is `txid_vout`, or null. */
export interface OneSatOutput {
  txid: string;
  vout: number;
  height: number;
  origin: string | null;
}

/** What the index says of a token. */
export interface ToldToken {
  symbol: string | null;
  decimals: number;
  supply: bigint | null;
  icon: string | null;
}

/** Where the index is: the user's own address, else the network's; of a devnet, at its service. */
export async function ordinalsIndex(): Promise<string> {
  const { ordinalsUrl, network, serviceUrl } = await readSettings();
  return ordinalsUrl ?? PRESETS[network] ?? `${new URL(serviceUrl).origin}/devnet/ordinals`;
}

/**
 * Takes another index, or the network's own (null).
 * @throws ServiceError `invalid-request` (no address of an interface)
 */
export async function chooseOrdinalsIndex(url: string | null): Promise<void> {
  await writeSettings({ ordinalsUrl: baseOf(url) });
}

async function ask<T extends z.ZodMiniType>(base: string, path: string, schema: T): Promise<z.infer<T> | null> {
  const { status, text } = await send(`${base}/api${path}`, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
  if (status === 404) return null;
  const parsed = schema.safeParse(parseJson(text));
  if (status !== 200 || !parsed.success)
    throw new ServiceError('network-unavailable', { detail: `index of ordinals: ${status}` });
  return parsed.data;
}

/**
 * The unspent outputs of one satoshi of an address: those with tokens, or all others.
 * @param count called for each request
 * @throws ServiceError `network-unavailable`, `too-large`
 */
export async function oneSatOutputsOf(
  base: string,
  address: string,
  withTokens: boolean,
  count: () => void,
): Promise<OneSatOutput[]> {
  const found: OneSatOutput[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    count();
    const query = `bsv20=${withTokens}&limit=${PAGE}&offset=${page * PAGE}`;
    const list = (await ask(base, `/txos/address/${address}/unspent?${query}`, z.array(output))) ?? [];
    for (const { txid, vout, satoshis, height, origin } of list.slice(0, PAGE)) {
      if (satoshis !== 1) continue;
      const from = outpoint.safeParse(origin?.outpoint);
      found.push({ txid, vout, height: height ?? 0, origin: from.success ? from.data : null });
    }
    if (list.length < PAGE) break;
  }
  return found;
}

/** Whether the index counts an output as holding the token that it names; null where it does not say. */
export async function isCountedValid(base: string, txid: string, vout: number, id: string): Promise<boolean | null> {
  const told = await ask(base, `/bsv20/outpoint/${txid}_${vout}`, judged);
  if (told?.id !== id) return null;
  return told.status === 1 ? true : told.status === -1 ? false : null;
}

/** What the index says of a token; null where it has none of that ID. */
export async function toldToken(base: string, id: string): Promise<ToldToken | null> {
  const told = await ask(base, `/bsv20/id/${id}`, token);
  if (!told) return null;
  const { sym, dec, amt, icon } = told;
  return {
    symbol: sym?.isWellFormed() ? sym : null,
    decimals: dec !== null && dec !== undefined && dec >= 0 && dec <= MAX_DECIMALS ? dec : 0,
    supply: readTokenAmount(amt),
    icon: icon && readTokenId(icon) ? icon : null,
  };
}
