/**
 * Log blocks (AES-256-GCM). The format version, network, writer and sequence number are authenticated, so blocks can't
 * be swapped.
 */
import * as z from 'zod/mini';
import { BLOCK_SIZES, MAX_BLOCK } from '../../protocol/http/app-log.ts';
import { concatBytes } from '../../protocol/bitcoin/bytes.ts';
import type { Network } from '../../protocol/bitcoin/address.ts';
import type { LogEntry, LoggedEntry } from '../app-log/entry.ts';
import { bytesOf } from '../app-log/size.ts';
import type { Heads } from '../app-log/state.ts';
import { openBox, sealBox } from '../vault/seal.ts';
import type { Wallet } from '../platform.ts';

export interface BlockId {
  network: Network;
  writer: string;
  sequence: number;
}

const outpoint = z.string().check(z.regex(/^[0-9a-f]{64}[.:]\d{1,10}$/));
const txid = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const satoshis = z.string().check(z.regex(/^\d{1,16}$/));
const heads = z.record(z.string(), z.int());
// More lenient than the writing code, because a later wallet version may have written the entry.
const entry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('output'),
    outpoint,
    satoshis,
    basket: z.string(),
    tags: z.array(z.string()),
    customInstructions: z.nullable(z.string()),
    origin: z.string(),
    description: z.string(),
  }),
  z.object({ kind: z.literal('output-gone'), outpoint, origin: z.optional(z.string()) }),
  z.object({ kind: z.literal('outpoint-gone'), outpoint }),
  z.object({ kind: z.literal('payment-gone'), outpoint }),
  z.object({
    kind: z.literal('action'),
    txid,
    origin: z.string(),
    description: z.string(),
    labels: z.array(z.string()),
    outputs: z.array(z.object({ vout: z.int(), description: z.string() })),
    at: z.number(),
    incoming: z.optional(z.object({ satoshis, isProven: z.boolean(), version: z.number(), lockTime: z.number() })),
  }),
  z.object({
    kind: z.literal('wallet-payment'),
    outpoint,
    derivationPrefix: z.string(),
    derivationSuffix: z.string(),
    senderIdentityKey: z.string(),
    satoshis,
  }),
]);
const blockContent = z.object({
  entries: z.array(z.object({ entry, version: z.int(), at: z.number() })),
  heads,
  whole: z.boolean(),
});

export type SealedEntry = Pick<LoggedEntry, 'entry' | 'version' | 'at'>;
/** The content of a block: entries, the last known block of every other writer, and whether the log is complete. */
export interface BlockContent {
  entries: SealedEntry[];
  heads: Heads;
  whole: boolean;
}

/** Bytes per block in addition to its content: AES-GCM's IV and tag, and the content's length. */
const OVERHEAD = 12 + 16 + 4;
/** Maximum size of a block's content, including the other writers' last blocks (bytes). */
const MAX_CONTENT = MAX_BLOCK - OVERHEAD;

const encoder = new TextEncoder();
/**
 * The current block format, and all readable formats. In format 1, deletion entries had no site, and entries were keyed
 * by outpoint or transaction only, so entries from several sites overwrote each other.
 */
const FORM = 2;
const FORMS = [FORM, 1] as const;
const header = (form: (typeof FORMS)[number], { network, writer, sequence }: BlockId) =>
  `service-button app log ${form} ${network} ${writer} ${sequence}`;

/** Encrypts a block's content (entries chosen by {@link fitting}), padded to the next block size. */
export async function sealBlock(
  wallet: Wallet,
  key: CryptoKey,
  id: BlockId,
  content: BlockContent,
): Promise<Uint8Array<ArrayBuffer>> {
  const json = encoder.encode(JSON.stringify(content));
  const size = BLOCK_SIZES.find((one) => one >= json.length + OVERHEAD) ?? json.length + OVERHEAD;
  const plaintext = new Uint8Array(size - 28);
  new DataView(plaintext.buffer).setUint32(0, json.length);
  plaintext.set(json, 4);
  const { iv, ciphertext } = await sealBox(wallet, key, plaintext, header(FORM, id));
  return concatBytes(iv, ciphertext);
}

/** Decrypts a block. Returns null if it is altered, from a different wallet, or in an unknown format. */
export async function openBlock(
  key: CryptoKey,
  id: BlockId,
  block: Uint8Array<ArrayBuffer>,
): Promise<BlockContent | null> {
  for (const form of FORMS) {
    try {
      const box = { iv: block.slice(0, 12), ciphertext: block.slice(12) };
      return readContent(await openBox(key, box, header(form, id)));
    } catch {
      // in a different format, or invalid
    }
  }
  return null;
}

/** Parses a block's content. @throws if it is invalid */
function readContent(plaintext: Uint8Array<ArrayBuffer>): BlockContent {
  const length = new DataView(plaintext.buffer).getUint32(0);
  const content = blockContent.parse(JSON.parse(new TextDecoder().decode(plaintext.subarray(4, 4 + length))));
  const entries = content.entries.map(({ entry: read, ...rest }) => ({ ...rest, entry: withSite(read) }));
  return { ...content, entries };
}

/** Converts deletion entries for outputs from format 1, in which they had no site. */
function withSite(read: z.infer<typeof entry>): LogEntry {
  if (read.kind !== 'output-gone') return read;
  const { outpoint: gone, origin } = read;
  return origin === undefined
    ? { kind: 'outpoint-gone', outpoint: gone }
    : { kind: 'output-gone', outpoint: gone, origin };
}

/** Number of entries that may be skipped as too large before a block is considered full. */
const MAX_SKIPPED_ENTRIES = 20;

/**
 * Returns the entries that fit into one block with `heads`: the first entry, and as many others as possible. If the
 * first entry is too large for a block, its optional data is removed until it fits. Pure.
 */
export function fitting<T extends SealedEntry>(entries: readonly T[], heads: Heads): T[] {
  let left = MAX_CONTENT - encoder.encode(JSON.stringify({ entries: [], heads, whole: false })).length;
  let misses = 0;
  const taken: T[] = [];
  for (const one of entries) {
    const reduced = taken.length > 0 ? one : reducedTo(one, left);
    const bytes = bytesOf(reduced);
    if (bytes <= left) {
      left -= bytes;
      taken.push(reduced);
    } else if ((misses += 1) > MAX_SKIPPED_ENTRIES) break;
  }
  return taken;
}

/**
 * Removes optional data until an entry fits: first an action's outputs or an output's tags, then its labels or
 * instructions.
 */
function reducedTo<T extends SealedEntry>(one: T, most: number): T {
  const steps: (Partial<LogEntry> & object)[] =
    one.entry.kind === 'action'
      ? [{ outputs: [] }, { outputs: [], labels: [] }]
      : one.entry.kind === 'output'
        ? [{ tags: [] }, { tags: [], customInstructions: null }]
        : [];
  const forms = [one, ...steps.map((step) => ({ ...one, entry: { ...one.entry, ...step } as LogEntry }))];
  return forms.find((form) => bytesOf(form) <= most) ?? (forms.at(-1) as T);
}

/** Encodes base64. */
export const toBase64 = (bytes: Uint8Array): string => {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
};
/** Decodes base64. @throws if it is invalid */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
