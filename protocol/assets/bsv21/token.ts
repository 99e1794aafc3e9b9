/**
 * BSV-21, the token protocol of 1Sat ordinals (docs.1satordinals.com, "BSV-21 Fungible Token Standard"): JSON in an
 * inscription describes the tokens in its output. A token's ID is the outpoint that minted it, and amounts are integers
 * in the token's smallest unit. Parsing is strict: amounts must be decimal strings, `dec` a string or a number, and
 * field names unique. The result is null if an index might parse the JSON differently (see {@link mentionsToken}).
 */
import { ServiceError } from '../../errors/service-error.ts';
import { readInscription, writeInscription } from './inscription.ts';

/** Maximum amount of a token: 2^64 - 1. */
export const MAX_TOKEN_AMOUNT = 0xffff_ffff_ffff_ffffn;
/** Maximum number of decimal places. */
export const MAX_DECIMALS = 18;
/** Maximum size of a token's JSON (bytes). The public indexes have the same limit. */
export const MAX_TOKEN_BYTES = 1024;
/** Maximum length of a symbol when minting (characters). */
export const MAX_SYMBOL = 32;

const CONTENT_TYPE = 'application/bsv-20';
const PROTOCOL = 'bsv-20';

/** An output that mints a token's whole supply. */
export interface TokenMint {
  op: 'deploy+mint';
  amt: bigint;
  /** The symbol, which is neither unique nor verified. */
  sym?: string;
  dec: number;
  /** The outpoint of the token's picture: `txid_vout`, or `_vout` in the same transaction. */
  icon?: string;
}

/** An output that holds an amount of a token. */
export interface TokenTransfer {
  op: 'transfer';
  id: string;
  amt: bigint;
}

/** An output that destroys an amount of a token. */
export interface TokenBurn {
  op: 'burn';
  id: string;
  amt: bigint;
}

export type Token = TokenMint | TokenTransfer;

const ID = /^([0-9a-f]{64})_(0|[1-9]\d{0,9})$/;
const ICON = /^(?:[0-9a-f]{64})?_(?:0|[1-9]\d{0,9})$/;
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,19})$/;

/** Returns the ID of the token that an output mints. */
export function tokenId(txid: string, vout: number): string {
  return `${txid}_${vout}`;
}

/** Splits a token's ID into a transaction ID and an output index. Returns null if the ID is malformed. */
export function readTokenId(id: string): { txid: string; vout: number } | null {
  const [, txid, vout] = ID.exec(id) ?? [];
  return txid !== undefined && Number(vout) <= 0xffff_ffff ? { txid, vout: Number(vout) } : null;
}

/** Parses an amount in smallest units, 1 to 2^64 - 1, from a decimal string. Returns null for anything else. */
export function readTokenAmount(text: unknown): bigint | null {
  if (typeof text !== 'string' || !WHOLE_NUMBER.test(text)) return null;
  const amount = BigInt(text);
  return amount > 0n && amount <= MAX_TOKEN_AMOUNT ? amount : null;
}

/** Accepts numbers because some programs write `dec` as a number, and the public indexes read both types. */
function readDecimals(text: unknown): number | null {
  if (text === undefined) return 0;
  if (typeof text === 'number') return Number.isInteger(text) && text >= 0 && text <= MAX_DECIMALS ? text : null;
  if (typeof text !== 'string' || !/^(?:\d|1[0-8])$/.test(text)) return null;
  return Number(text);
}

/** Returns the top-level field names in valid JSON text, including duplicates. */
function topNames(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  for (const [part, name] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}[\]]/gs)) {
    if (name !== undefined) {
      if (depth === 1) names.push(JSON.parse(name) as string);
    } else if (part === '{' || part === '[') depth += 1;
    else if (part === '}' || part === ']') depth -= 1;
  }
  return names;
}

/** Parses a JSON object. Returns null if the object is malformed, too large or has duplicate field names. */
function readFields(content: Uint8Array): Record<string, unknown> | null {
  if (content.length > MAX_TOKEN_BYTES) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const names = topNames(text);
    return new Set(names).size === names.length ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Returns an output's token operation, including burns, or null if there is no operation or it is ambiguous. */
export function readTokenOperation(script: Uint8Array): Token | TokenBurn | null {
  const inscription = readInscription(script);
  if (inscription?.contentType !== CONTENT_TYPE) return null;
  const fields = readFields(inscription.content);
  const amt = readTokenAmount(fields?.amt);
  if (!fields || fields.p !== PROTOCOL || amt === null) return null;
  const { op, id, sym, icon } = fields;
  if (op === 'transfer' || op === 'burn') return typeof id === 'string' && readTokenId(id) ? { op, id, amt } : null;
  const dec = readDecimals(fields.dec);
  if (op !== 'deploy+mint' || dec === null || id !== undefined) return null;
  if (![sym, icon].every((text) => text === undefined || (typeof text === 'string' && text.isWellFormed())))
    return null;
  return {
    op,
    amt,
    dec,
    ...(typeof sym === 'string' && sym !== '' && { sym }),
    ...(typeof icon === 'string' && ICON.test(icon) && { icon }),
  };
}

/** Returns the token that an output mints or holds, or null. Never throws. */
export function readToken(script: Uint8Array): Token | null {
  const read = readTokenOperation(script);
  return read?.op === 'burn' ? null : read;
}

const MENTION = /* @__PURE__ */ new TextEncoder().encode(CONTENT_TYPE);
/** The bit by which lower-case and upper-case ASCII letters differ. */
const CASE = 0x20;

/**
 * True if BSV-21's content type occurs anywhere in a script. If {@link readTokenOperation} then returns null, an index
 * might still see a token in this output, so all token amounts in the transaction are uncertain.
 */
export function mentionsToken(script: Uint8Array): boolean {
  const last = script.length - MENTION.length;
  for (let at = 0; at <= last; at += 1) {
    let i = 0;
    while (i < MENTION.length && ((script[at + i] as number) | CASE) === ((MENTION[i] as number) | CASE)) i += 1;
    if (i === MENTION.length) return true;
  }
  return false;
}

/**
 * Writes the locking script of an output that mints or holds tokens.
 * @param lock the spending condition, such as P2PKH
 * @throws ServiceError `invalid-request` if parsing the script wouldn't return the same token
 */
export function writeTokenScript(token: Token, lock: Uint8Array): Uint8Array<ArrayBuffer> {
  const { op, amt } = token;
  const fields =
    op === 'transfer'
      ? { p: PROTOCOL, op, id: token.id, amt: String(amt) }
      : {
          p: PROTOCOL,
          op,
          sym: token.sym,
          icon: token.icon,
          amt: String(amt),
          ...(token.dec > 0 && { dec: String(token.dec) }),
        };
  const script = writeInscription(CONTENT_TYPE, new TextEncoder().encode(JSON.stringify(fields)), lock);
  const read = readToken(script);
  const same =
    read !== null &&
    read.amt === amt &&
    (read.op === 'transfer'
      ? op === 'transfer' && read.id === token.id
      : op === 'deploy+mint' &&
        read.dec === token.dec &&
        read.sym === token.sym &&
        read.icon === token.icon &&
        [...(token.sym ?? '')].length <= MAX_SYMBOL);
  if (!same) throw new ServiceError('invalid-request', { detail: 'not a valid token' });
  return script;
}
