/**
 * The two known APIs of a 1Sat ordinals index: 1sat-server (ordinals.gorillapool.io) and 1sat-stack
 * (api.1sat.app/1sat). Requests detect which one a URL offers.
 */
import * as z from 'zod/mini';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { parseJson, send } from './http.ts';
import { part, type Wallet } from '../platform.ts';

/**
 * An unspent one-satoshi output reported by the index. `height` is 0 while unconfirmed; `origin` is `txid_vout` or
 * null.
 */
export interface OneSatOutput {
  txid: string;
  vout: number;
  height: number;
  origin: string | null;
}

/** Token metadata from the index, unverified. */
export interface IndexedToken {
  sym?: string | null | undefined;
  dec?: number | null | undefined;
  amt?: string | null | undefined;
  icon?: string | null | undefined;
}

/** One of the APIs. Results are null if the URL doesn't support the request or has no data. */
export interface OneSatForm {
  /**
   * Returns the unspent one-satoshi outputs of an address, with or without tokens.
   * @param count called before each request
   */
  outputs(base: string, address: string, count: () => void): Promise<OneSatOutput[] | null>;
  /** Returns whether the index recognizes an output as valid for the token `id`. */
  isValid(base: string, output: { txid: string; vout: number }, id: string): Promise<boolean | null>;
  token(base: string, id: string): Promise<IndexedToken | null>;
}

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 4_000_000;
/** Outputs per request. */
const PAGE = 100;
const MAX_PAGES = 5;

const OUTPOINT = /^([0-9a-f]{64})[_.:](\d{1,10})$/;
const outpoint = z.string().check(z.regex(/^[0-9a-f]{64}_\d{1,10}$/));
const tokenFields = z.object({
  sym: z.nullish(z.string().check(z.maxLength(1024))),
  dec: z.nullish(z.int()),
  amt: z.nullish(z.string()),
  icon: z.nullish(z.string()),
});
// An error with status 200 has none of these fields, and would count as a token without decimals.
const token = tokenFields.check(z.refine(({ sym, dec, amt }) => (sym ?? dec ?? amt ?? null) !== null));

/** Returns the response body; null for 404. @throws ServiceError `network-unavailable`, `too-large` */
async function textAt(wallet: Wallet, url: string): Promise<string | null> {
  const { status, text } = await send(wallet, url, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
  if (status === 404) return null;
  if (status !== 200) throw unusable(status);
  return text;
}

const unusable = (what: string | number) =>
  new ServiceError('network-unavailable', { detail: `index of ordinals: ${what}` });

function checked<T extends z.ZodMiniType>(schema: T, value: unknown): z.infer<T> {
  const read = schema.safeParse(value);
  if (!read.success) throw unusable('another form');
  return read.data;
}

async function ask<T extends z.ZodMiniType>(wallet: Wallet, url: string, schema: T): Promise<z.infer<T> | null> {
  const text = await textAt(wallet, url);
  return text === null ? null : checked(schema, parseJson(text));
}

const formerOutputs = z.array(
  z.object({
    txid: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    vout: z.int(),
    satoshis: z.number(),
    height: z.nullish(z.number()),
    origin: z.nullish(z.object({ outpoint: z.nullish(z.string()) })),
  }),
);
const judged = z.object({ status: z.nullish(z.number()), id: z.nullish(z.string()) });

export const former = part((wallet): OneSatForm => ({
  async outputs(base, address, count) {
    const found: OneSatOutput[] = [];
    for (const withTokens of [true, false])
      for (let page = 0; page < MAX_PAGES; page += 1) {
        count();
        const query = `bsv20=${withTokens}&limit=${PAGE}&offset=${page * PAGE}`;
        const list = await ask(wallet, `${base}/api/txos/address/${address}/unspent?${query}`, formerOutputs);
        if (list === null) return null;
        for (const { txid, vout, satoshis, height, origin } of list.slice(0, PAGE)) {
          if (satoshis !== 1) continue;
          const from = outpoint.safeParse(origin?.outpoint);
          found.push({ txid, vout, height: height ?? 0, origin: from.success ? from.data : null });
        }
        if (list.length < PAGE) break;
      }
    return found;
  },
  async isValid(base, { txid, vout }, id) {
    const told = await ask(wallet, `${base}/api/bsv20/outpoint/${txid}_${vout}`, judged);
    if (told?.id !== id) return null;
    return told.status === 1 ? true : told.status === -1 ? false : null;
  },
  token: (base, id) => ask(wallet, `${base}/api/bsv20/id/${id}`, token),
}));

const stackOutput = z.object({
  outpoint: z.string().check(z.regex(OUTPOINT)),
  score: z.nullish(z.number()),
  satoshis: z.nullish(z.number()),
  blockHeight: z.nullish(z.number()),
  height: z.nullish(z.number()),
  data: z.nullish(z.record(z.string(), z.unknown())),
});
const stackToken = z.object({ token: z.nullish(tokenFields), ...tokenFields.shape });

export const stack = part((wallet): OneSatForm => ({
  async outputs(base, address, count) {
    const found = new Map<string, OneSatOutput>();
    let from = '';
    for (let page = 0; page < 2 * MAX_PAGES; page += 1) {
      count();
      const query = `unspent=true&sats=true&block=true&tags=origin&limit=${PAGE}${from}`;
      const text = await textAt(wallet, `${base}/owner/${address}/txos?${query}`);
      if (text === null) return null;
      const list = checked(z.array(stackOutput), listIn(text));
      const before = found.size;
      for (const one of list.slice(0, PAGE)) {
        const [, txid = '', vout = ''] = OUTPOINT.exec(one.outpoint) ?? [];
        // If the index omits the amount, it is read from the transaction.
        if ((one.satoshis ?? 1) !== 1) continue;
        const height = one.blockHeight ?? one.height ?? 0;
        found.set(`${txid}_${vout}`, { txid, vout: Number(vout), height, origin: originIn(one.data) });
      }
      const last = list.at(-1)?.score;
      if (list.length < PAGE || typeof last !== 'number' || found.size === before) break;
      from = `&from=${last}`;
    }
    return [...found.values()];
  },
  async isValid(base, { txid, vout }, id) {
    // If the output is missing, the index may not track its token.
    const text = await textAt(wallet, `${base}/bsv21/${id}/outputs/${txid}_${vout}`);
    const told = text === null ? null : stackOutput.safeParse(parseJson(text));
    const place = told?.success ? OUTPOINT.exec(told.data.outpoint) : null;
    return place?.[1] === txid && Number(place[2]) === vout ? true : null;
  },
  async token(base, id) {
    const told = await ask(wallet, `${base}/bsv21/${id}`, stackToken);
    return told && checked(token, told.token ?? told);
  },
}));

/** Parses the list in a response: JSON, or a completed event stream. */
function listIn(text: string): unknown {
  const json = parseJson(text);
  if (json !== undefined) return json ?? [];
  const frames = text.split(/\r?\n\r?\n/);
  if (!frames.some((frame) => /^event: ?done\b/m.test(frame))) throw unusable('another form');
  return frames.flatMap((frame) => {
    const data = /^data: ?(.*)$/m.exec(frame)?.[1];
    const value = data === undefined ? undefined : parseJson(data);
    return typeof value === 'object' && value !== null && 'outpoint' in value ? [value] : [];
  });
}

function originIn(data: Record<string, unknown> | null | undefined): string | null {
  const { origin } = data ?? {};
  const text = typeof origin === 'object' && origin !== null && 'outpoint' in origin ? origin.outpoint : origin;
  const [, txid, vout] = (typeof text === 'string' && OUTPOINT.exec(text)) || [];
  return txid === undefined ? null : `${txid}_${vout}`;
}
