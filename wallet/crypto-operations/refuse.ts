/**
 * Data that no site may have signed, because elsewhere the signature would sign in, authorize a transaction, or speak
 * for the user among paymail hosts. Each such text has a fixed form. Variants that a lenient reader might accept, in
 * letter case or white space, are refused as well.
 */
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { MAX_SATOSHIS } from '../../protocol/money/money.ts';
import { part, type Wallet } from '../platform.ts';

/** Invisible characters and combining marks: none of the forms below has any. */
const UNSEEN = /[\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/gu;

/** Texts that are signed for a specific purpose, without white space and in lower case. */
const FORMS: readonly RegExp[] = [
  // protocol/signed-messages/sign-in-message.ts
  /asksyoutosignwithyouridentitykey/,
  // protocol/signed-messages/report-message.ts and protocol/signed-messages/balance-message.ts
  /^servicebutton/,
  // A transaction's id: the sender's statement to a paymail host (BRFC 5f1323cddf31).
  /^(?:0x)?[0-9a-f]{64}$/,
  // protocol/http/paymail.ts, paymentDestinationMessage: a paymail, an amount and a time without separators (ISO 8601).
  /^[^@]+@[^@]*\d{4}[-/.]?\d\d[-/.]?\d\dt?\d\d/,
];

/** True for data that no site may have signed. */
export function isForbidden(wallet: Wallet, data: Uint8Array): boolean {
  if (isOfTransaction(data)) return true;
  const squashed = squash(wallet, new TextDecoder().decode(data));
  if (FORMS.some((form) => form.test(squashed))) return true;
  const digits = squashed.replace(/^0x/, '');
  return digits.length % 2 === 0 && /^[0-9a-f]+$/.test(digits) && isOfTransaction(fromHex(digits));
}

/** Replaces any non-ASCII character: no form depends on which one. */
const OTHER = '\ufffd';
/** Cache of plain forms of characters: some ten thousand at most. */
const plainer = part(() => new Map<string, string>());

/** The ASCII form of a character (NFKC), which may expand to eighteen characters. */
function plain(wallet: Wallet, character: string): string {
  const known = plainer(wallet).get(character);
  if (known !== undefined) return known;
  const normal = character.normalize('NFKC');
  if (normal === character) return OTHER;
  const found = normal.replace(UNSEEN, '').replace(/[^\0-\x7f]+/g, OTHER);
  plainer(wallet).set(character, found);
  return found;
}

/** Returns the text in its plain form, by character: a long run of combining marks takes a second. */
function squash(wallet: Wallet, text: string): string {
  return text
    .replace(UNSEEN, '')
    .replace(/[^\0-\x7f]/gu, (character) => plain(wallet, character))
    .toLowerCase();
}

/** True for a transaction in any of its formats, and for the preimage of an input's signature. */
function isOfTransaction(bytes: Uint8Array): boolean {
  return isWrapped(bytes) || isTransaction(bytes) || isPreimage(bytes);
}

/** BEEF (BRC-62, BRC-96, BRC-95) and the extended format (BRC-30), by their first bytes. */
function isWrapped(bytes: Uint8Array): boolean {
  const begins = (at: number, ...expected: number[]) => expected.every((byte, i) => bytes[at + i] === byte);
  return begins(1, 0x00, 0xbe, 0xef) || begins(0, 1, 1, 1, 1) || begins(4, 0, 0, 0, 0, 0, 0xef);
}

/** Sequential reader. Once something is too long, it stays beyond the end. */
class Reader {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#view.byteLength - this.#at;
  }

  skip(n: number): void {
    this.#at += n;
  }

  /** A little-endian number of this many bytes; NaN beyond the end. */
  number(bytes: number): number {
    let value = 0;
    for (let i = bytes - 1; i >= 0; i -= 1)
      value = value * 256 + (this.#at + i < this.#view.byteLength ? this.#view.getUint8(this.#at + i) : Number.NaN);
    this.skip(bytes);
    return value;
  }

  /** A variable-length integer, in any encoding. */
  size(): number {
    const first = this.number(1);
    return first < 0xfd ? first : this.number(first === 0xfd ? 2 : first === 0xfe ? 4 : 8);
  }
}

const isValue = (satoshis: number) => satoshis <= Number(MAX_SATOSHIS);

/**
 * A transaction, or its beginning up to the last output, because other readers accept truncated or trailing data. Every
 * value must be plausible, so texts don't match by chance.
 */
function isTransaction(bytes: Uint8Array): boolean {
  const reader = new Reader(bytes);
  reader.skip(4);
  const inputs = reader.size();
  if (!(inputs > 0 && inputs * 41 <= reader.left)) return false;
  for (let i = 0; i < inputs; i += 1) {
    reader.skip(36);
    reader.skip(reader.size());
    reader.skip(4);
  }
  const outputs = reader.size();
  if (!(outputs > 0 && outputs * 9 <= reader.left)) return false;
  for (let i = 0; i < outputs; i += 1) {
    if (!isValue(reader.number(8))) return false;
    reader.skip(reader.size());
  }
  return reader.left >= 0;
}

/** BIP 143's preimage: version, two hashes, outpoint, script, value, sequence, a hash, lock time, type. */
function isPreimage(bytes: Uint8Array): boolean {
  const reader = new Reader(bytes);
  reader.skip(4 + 32 + 32 + 36);
  reader.skip(reader.size());
  return isValue(reader.number(8)) && reader.left === 4 + 32 + 4 + 4;
}
