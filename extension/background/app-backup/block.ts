/**
 * Blocks of the log: some entries under AES-256-GCM. Bound to each: the form's version, the network, who wrote it and
 * its number; so that none opens in another's place.
 */
import * as z from 'zod/mini';
import { BLOCK_SIZES, MAX_BLOCK } from '../../../protocol/app-log.ts';
import { concatBytes } from '../../../protocol/bytes.ts';
import type { Network } from '../../../protocol/address.ts';
import type { LogEntry, LoggedEntry } from '../app-log/entry.ts';
import { bytesOf } from '../app-log/size.ts';
import type { Heads } from '../app-log/state.ts';
import { openBox, sealBox } from '../vault/seal.ts';

/** Where a block stands. */
export interface BlockId {
  network: Network;
  writer: string;
  sequence: number;
}

const outpoint = z.string().check(z.regex(/^[0-9a-f]{64}[.:]\d{1,10}$/));
const txid = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const satoshis = z.string().check(z.regex(/^\d{1,16}$/));
const heads = z.record(z.string(), z.int());
// Looser than what is written: who reads it is the same wallet, of an earlier or a later version.
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

/** An entry as it stands in a block. */
export type SealedEntry = Pick<LoggedEntry, 'entry' | 'version' | 'at'>;
/** What a block holds: entries; the last block of each other writer that is known; and whether that is all covered. */
export interface BlockContent {
  entries: SealedEntry[];
  heads: Heads;
  whole: boolean;
}

/** Beside the content: the iv and the tag of AES-GCM, and the content's length. */
const OVERHEAD = 12 + 16 + 4;
/** Most bytes of a block's content. Beside the entries it has heads, which are few. */
const MAX_CONTENT = MAX_BLOCK - OVERHEAD;

const encoder = new TextEncoder();
/**
 * The form that blocks have today, and all that are read. In form 1 entries had one key for each outpoint and transaction,
 * and a note that something is gone had no site. A wallet of that time opens no block of form 2: it would keep one
 * site's entry alone, and replace the whole log by that.
 */
const FORM = 2;
const FORMS = [FORM, 1] as const;
const header = (form: (typeof FORMS)[number], { network, writer, sequence }: BlockId) =>
  `service-button app log ${form} ${network} ${writer} ${sequence}`;

/** Seals what fits into one block ({@link fitting}), padded to the next of the block sizes. */
export async function sealBlock(key: CryptoKey, id: BlockId, content: BlockContent): Promise<Uint8Array<ArrayBuffer>> {
  const json = encoder.encode(JSON.stringify(content));
  const size = BLOCK_SIZES.find((one) => one >= json.length + OVERHEAD) ?? json.length + OVERHEAD;
  const plaintext = new Uint8Array(size - 28);
  new DataView(plaintext.buffer).setUint32(0, json.length);
  plaintext.set(json, 4);
  const { iv, ciphertext } = await sealBox(key, plaintext, header(FORM, id));
  return concatBytes(iv, ciphertext);
}

/** What a block holds; null where it is altered, another's, or of a form that this version does not know. */
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
      // of another form, or none
    }
  }
  return null;
}

/** @throws where it is no content of a block */
function readContent(plaintext: Uint8Array<ArrayBuffer>): BlockContent {
  const length = new DataView(plaintext.buffer).getUint32(0);
  const content = blockContent.parse(JSON.parse(new TextDecoder().decode(plaintext.subarray(4, 4 + length))));
  const entries = content.entries.map(({ entry: read, ...rest }) => ({ ...rest, entry: withSite(read) }));
  return { ...content, entries };
}

/** In form 1 a note that an output is gone named no site. */
function withSite(read: z.infer<typeof entry>): LogEntry {
  if (read.kind !== 'output-gone') return read;
  const { outpoint: gone, origin } = read;
  return origin === undefined
    ? { kind: 'outpoint-gone', outpoint: gone }
    : { kind: 'output-gone', outpoint: gone, origin };
}

/** So many that no longer fit are passed over for smaller ones, before a block is full. */
const MOST_MISSES = 20;

/**
 * Entries that fit into one block, beside `heads`: the first one, and of the others those for which there is room. Pure.
 * One that fits into none by itself loses what an application can do without, until it does.
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
    } else if ((misses += 1) > MOST_MISSES) break;
  }
  return taken;
}

/** Without descriptions of outputs, and then without tags, labels and instructions, where it is larger. */
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

/** Base64 of bytes, and bytes of base64. */
export const toBase64 = (bytes: Uint8Array): string => {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
};
/** See {@link toBase64}. @throws where it is none */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
