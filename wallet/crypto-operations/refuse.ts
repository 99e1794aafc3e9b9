/**
 * Detects data that is never signed for a site, because the signature could be misused to sign in, authorize a
 * transaction, or speak for the user to paymail hosts. Messages for these purposes have fixed formats. Also rejects
 * variants in letter case or white space, which a lenient reader might accept.
 */
import { fromHex, isHex } from '../../protocol/bitcoin/bytes.ts';
import { MAX_SATOSHIS } from '../../protocol/money/money.ts';
import { part, type Wallet } from '../platform.ts';

/** Invisible characters and combining marks, which none of the formats below contains. */
const UNSEEN = /[\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Patterns of the messages that the wallet signs for specific purposes, matched without white space and in lower case.
 */
const FORMS: readonly RegExp[] = [
  // protocol/signed-messages/sign-in-message.ts
  /asksyoutosignwithyouridentitykey/,
  // protocol/signed-messages/report-message.ts and protocol/signed-messages/balance-message.ts
  /^servicebutton/,
  // A transaction id: the sender's signature for a paymail host (BRFC 5f1323cddf31).
  /^(?:0x)?[0-9a-f]{64}$/,
  // protocol/http/paymail.ts, paymentDestinationMessage: paymail, amount and ISO 8601 time, without separators.
  /^[^@]+@[^@]*\d{4}[-/.]?\d\d[-/.]?\d\dt?\d\d/,
];

/** True if this data must not be signed for a site. */
export function isForbidden(wallet: Wallet, data: Uint8Array): boolean {
  if (isOfTransaction(data)) return true;
  const squashed = squash(wallet, new TextDecoder().decode(data));
  if (FORMS.some((form) => form.test(squashed))) return true;
  const digits = squashed.replace(/^0x/, '');
  return digits !== '' && isHex(digits) && isOfTransaction(fromHex(digits));
}

/** Replacement for every non-ASCII character, because the patterns contain only ASCII. */
const OTHER = '\ufffd';
/** Cache of ASCII forms by character, at most about ten thousand. */
const plainer = part(() => new Map<string, string>());

/** Returns the ASCII form of a character (NFKC), which can have up to eighteen characters. */
function plain(wallet: Wallet, character: string): string {
  const known = plainer(wallet).get(character);
  if (known !== undefined) return known;
  const normal = character.normalize('NFKC');
  if (normal === character) return OTHER;
  const found = normal.replace(UNSEEN, '').replace(/[^\0-\x7f]+/g, OTHER);
  plainer(wallet).set(character, found);
  return found;
}

/**
 * Returns the ASCII form of a string. Converts each character separately, because normalizing a long run of combining
 * marks is slow.
 */
function squash(wallet: Wallet, text: string): string {
  return text
    .replace(UNSEEN, '')
    .replace(/[^\0-\x7f]/gu, (character) => plain(wallet, character))
    .toLowerCase();
}

/** True for a transaction in any format, or a signature preimage of an input. */
function isOfTransaction(bytes: Uint8Array): boolean {
  return isWrapped(bytes) || isTransaction(bytes) || isPreimage(bytes);
}

/** True if the bytes begin like BEEF (BRC-62, BRC-96, BRC-95) or Extended Format (BRC-30). */
function isWrapped(bytes: Uint8Array): boolean {
  const begins = (at: number, ...expected: number[]) => expected.every((byte, i) => bytes[at + i] === byte);
  return begins(1, 0x00, 0xbe, 0xef) || begins(0, 1, 1, 1, 1) || begins(4, 0, 0, 0, 0, 0, 0xef);
}

/** Sequential reader. All values read past the end are NaN. */
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

  /** Reads a little-endian integer of this many bytes; NaN beyond the end. */
  number(bytes: number): number {
    let value = 0;
    for (let i = bytes - 1; i >= 0; i -= 1)
      value = value * 256 + (this.#at + i < this.#view.byteLength ? this.#view.getUint8(this.#at + i) : Number.NaN);
    this.skip(bytes);
    return value;
  }

  /** Reads a variable-length integer, including non-minimal encodings. */
  size(): number {
    const first = this.number(1);
    return first < 0xfd ? first : this.number(first === 0xfd ? 2 : first === 0xfe ? 4 : 8);
  }
}

const isValue = (satoshis: number) => satoshis <= Number(MAX_SATOSHIS);

/**
 * True for a transaction, or for its beginning up to the last output, because other readers accept truncated or
 * trailing data. All values must be plausible, so text doesn't match by chance.
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

/** True for a BIP 143 preimage: version, 2 hashes, outpoint, script, value, sequence, hash, lock time, sighash type. */
function isPreimage(bytes: Uint8Array): boolean {
  const reader = new Reader(bytes);
  reader.skip(4 + 32 + 32 + 36);
  reader.skip(reader.size());
  return isValue(reader.number(8)) && reader.left === 4 + 32 + 4 + 4;
}
