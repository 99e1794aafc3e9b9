/**
 * The BSV wallet interface (BRC-100): arguments and results of the supported methods. Limits, defaults and the order of
 * checks match @bsv/sdk. docs/brc100.md lists this wallet's stricter checks. On the wire, bytes are number arrays and
 * satoshis are numbers. Parsing converts them to `Uint8Array` and bigint.
 */
import * as z from 'zod/mini';
import { MAX_CALL_ITEMS, MAX_CALL_NAMES, MAX_CUSTOM_INSTRUCTIONS } from '../payments/limits.ts';
import type { BRC100_METHODS } from '../messages/wire.ts';

export type Brc100Method = (typeof BRC100_METHODS)[number];

/** The end of the error message for an invalid argument: "The … parameter must be …". */
const MUST_BE = {
  bytes: 'an array of bytes.',
  text: 'a string.',
  hex: 'hexadecimal string.',
  base64: 'valid base64 string',
  integer: 'an integer',
  boolean: 'a boolean.',
} as const;
const atLeast = (least: number) => `at least ${least} length.`;
const noMore = (most: number) => `no more than ${most} length.`;

const bytesOf = (text: string) => new TextEncoder().encode(text).length;
/** Checks the length of a string in bytes (UTF-8). */
const sized = (least: number, most: number) =>
  [
    // Lone surrogates have no UTF-8 encoding, so databases and other wallets would encode them differently.
    z.refine<string>((text) => text.isWellFormed(), 'well-formed text.'),
    z.refine<string>((text) => bytesOf(text) >= least, atLeast(least)),
    z.refine<string>((text) => bytesOf(text) <= most, noMore(most)),
  ] as const;
const text = (least: number, most: number) => z.string(MUST_BE.text).check(...sized(least, most));
const description = text(5, 2000);
const identifier = z.string(MUST_BE.text).check(z.trim(), z.toLowerCase(), ...sized(1, 300));
const customInstructions = text(0, MAX_CUSTOM_INSTRUCTIONS);
const hex = z.string(MUST_BE.text).check(
  z.trim(),
  z.toLowerCase(),
  z.refine((value) => value.length % 2 === 0, 'even length.'),
  z.minLength(1, MUST_BE.hex),
  z.refine((value) => !/[^0-9a-f]/.test(value), MUST_BE.hex),
);
const base64 = z.string(MUST_BE.text).check(
  z.trim(),
  z.minLength(1, MUST_BE.base64),
  z.refine((value) => !/[^A-Za-z0-9+/]/.test(value.replace(/={1,2}$/, '')), MUST_BE.base64),
  z.refine(({ length }) => length % 4 !== 1, MUST_BE.base64),
  z.refine((value) => !value.endsWith('=') || value.length % 4 === 0, MUST_BE.base64),
  z.maxLength(1000, noMore(1000)),
);
const integer = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  z.int(MUST_BE.integer).check(z.minimum(least, atLeast(least)), z.maximum(most, noMore(most)));
/** BRC-100's PositiveIntegerOrZero. */
const uint32 = integer(0, 0xff_ff_ff_ff);
const satoshis = z.pipe(
  z.int('a valid number of satoshis').check(z.minimum(0), z.maximum(21e14)),
  z.transform((value) => BigInt(value)),
);
const txid = z
  .string(MUST_BE.text)
  .check(z.trim(), z.toLowerCase(), z.regex(/^[0-9a-f]{64}$/, 'a transaction ID of 64 hexadecimal digits.'));
/** An outpoint, `txid.vout`. */
const outpoint = z.string(MUST_BE.text).check(
  z.toLowerCase(),
  z.regex(/^[0-9a-f]{64}\.(?:0|[1-9]\d{0,9})$/, "txid as hex string and numeric output index joined with '.'"),
  z.refine((value) => Number(value.slice(65)) <= 0xff_ff_ff_ff, 'no more than 4294967295 length.'),
);
const isByte = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 255 && Number.isInteger(value);
/** Bytes. Validated in a single pass, because there can be a million bytes. */
const bytes = z.pipe(
  z.custom<number[]>((value) => Array.isArray(value) && value.every(isByte), MUST_BE.bytes),
  z.transform((value) => Uint8Array.from(value)),
);
const hash = z.pipe(
  z.custom<number[]>((value) => Array.isArray(value) && value.length === 32 && value.every(isByte), 'a 32-byte hash.'),
  z.transform((value) => Uint8Array.from(value)),
);

/** Makes an argument optional. Null counts as missing, as in the reference implementation. */
const optional = <S extends z.ZodMiniType>(schema: S) =>
  z.pipe(
    z.optional(z.nullable(schema)),
    z.transform((value) => value ?? undefined),
  );
const or = <S extends z.ZodMiniType, const D>(schema: S, fallback: D) =>
  z.pipe(
    z.optional(z.nullable(schema)),
    z.transform((value): NonNullable<z.output<S>> | D => value ?? fallback),
  );
const flag = (fallback: boolean) => or(z.boolean(MUST_BE.boolean), fallback);
const list = <S extends z.ZodMiniType>(schema: S, most: number) =>
  z.pipe(
    z.optional(z.nullable(z.array(schema, 'an array.').check(z.maxLength(most, noMore(most))))),
    z.transform((value): z.output<S>[] => value ?? []),
  );
const names = list(identifier, MAX_CALL_NAMES);
const limit = or(integer(1, 10_000), 10);

/** A protocol's security level (0: silent, 1: per application, 2: per counterparty) and name (BRC-43). */
const protocolID = z.tuple(
  [
    z.literal([0, 1, 2], 'a security level of 0, 1 or 2.'),
    z.string(MUST_BE.text).check(
      z.trim(),
      z.toLowerCase(),
      z.minLength(5, atLeast(5)),
      z.maxLength(400, noMore(400)),
      z.regex(/^[a-z0-9 ]+$/, 'only letters, numbers and spaces.'),
      z.refine((name) => !name.includes('  '), 'free of consecutive spaces.'),
      z.refine((name) => !name.endsWith(' protocol'), 'without " protocol" at its end.'),
    ),
  ],
  'a security level and a protocol name.',
);
const keyID = z.string(MUST_BE.text).check(
  z.refine((value) => value.isWellFormed(), 'well-formed text.'),
  z.minLength(1, atLeast(1)),
  z.maxLength(800, noMore(800)),
);
const publicKey = z
  .string(MUST_BE.text)
  .check(z.toLowerCase(), z.regex(/^0[23][0-9a-f]{64}$/, 'a compressed public key as 66 hexadecimal digits.'));
const counterparty = z.union(
  [z.literal('self'), z.literal('anyone'), publicKey],
  "'self', 'anyone' or a compressed public key as 66 hexadecimal digits.",
);
const rights = {
  privileged: flag(false),
  privilegedReason: optional(text(5, 50)),
  seekPermission: flag(true),
};
const withKey = { protocolID, keyID, counterparty: optional(counterparty), ...rights };

const processing = {
  acceptDelayedBroadcast: flag(true),
  returnTXIDOnly: flag(false),
  noSend: flag(false),
  sendWith: list(txid, MAX_CALL_NAMES),
};
/** Makes an options object optional. If the object is missing, each option has its default value. */
const options = <S extends z.ZodMiniType>(schema: S) => or(schema, z.parse(schema, {}));

const nothing = z.object({}, 'an object.');

/** The schema of each supported method's arguments. Unknown fields are ignored, as in the reference implementation. */
export const brc100Arguments = {
  createAction: z.object({
    description,
    inputBEEF: optional(bytes),
    inputs: list(
      z
        .object({
          unlockingScript: optional(hex),
          unlockingScriptLength: optional(integer(1, 0xff_ff_ff_ff)),
          outpoint,
          inputDescription: description,
          sequenceNumber: or(uint32, 0xff_ff_ff_ff),
        })
        .check(
          z.refine((input) => input.unlockingScript !== undefined || input.unlockingScriptLength !== undefined, {
            error: 'at least one valid value.',
            path: ['unlockingScript, unlockingScriptLength'],
          }),
          z.refine(
            ({ unlockingScript: script, unlockingScriptLength: length }) =>
              script === undefined || length === undefined || length === script.length / 2,
            { error: 'length unlockingScript if both valid.', path: ['unlockingScriptLength'] },
          ),
        ),
      MAX_CALL_ITEMS,
    ),
    outputs: list(
      z.object({
        lockingScript: hex,
        satoshis,
        outputDescription: description,
        basket: optional(identifier),
        customInstructions: optional(customInstructions),
        tags: names,
      }),
      MAX_CALL_ITEMS,
    ),
    lockTime: or(uint32, 0),
    version: or(uint32, 1),
    labels: names,
    options: options(
      z.object({
        signAndProcess: flag(true),
        ...processing,
        trustSelf: optional(z.literal('known', "'known' or undefined.")),
        knownTxids: list(txid, MAX_CALL_NAMES),
        noSendChange: list(outpoint, MAX_CALL_NAMES),
        randomizeOutputs: flag(true),
      }),
    ),
  }),
  signAction: z.object({
    spends: z.record(
      z.string().check(z.regex(/^(?:0|[1-9]\d{0,9})$/)),
      z.object({ unlockingScript: hex, sequenceNumber: optional(uint32) }),
      'a map of input indexes.',
    ),
    reference: base64,
    options: options(z.object(processing)),
  }),
  abortAction: z.object({ reference: base64 }),
  listActions: z.object({
    labelQueryMode: or(z.enum(['any', 'all'], "undefined, 'any', or 'all'"), 'any'),
    labels: names,
    includeLabels: flag(false),
    includeInputs: flag(false),
    includeInputSourceLockingScripts: flag(false),
    includeInputUnlockingScripts: flag(false),
    includeOutputs: flag(false),
    includeOutputLockingScripts: flag(false),
    limit,
    offset: or(integer(0), 0),
    seekPermission: flag(true),
  }),
  internalizeAction: z.object({
    outputs: z
      .array(
        z
          .object({
            protocol: z.enum(['wallet payment', 'basket insertion'], "'basket insertion' or 'wallet payment'"),
            outputIndex: uint32,
            paymentRemittance: optional(
              z.object({ derivationPrefix: base64, derivationSuffix: base64, senderIdentityKey: publicKey }),
            ),
            insertionRemittance: optional(
              z.object({ basket: identifier, customInstructions: optional(customInstructions), tags: names }),
            ),
          })
          .check(
            z.refine((output) => output.protocol !== 'wallet payment' || output.paymentRemittance !== undefined, {
              error: "valid for protocol 'wallet payment'.",
              path: ['paymentRemittance'],
            }),
            z.refine((output) => output.protocol !== 'basket insertion' || output.insertionRemittance !== undefined, {
              error: "valid for protocol 'basket insertion'.",
              path: ['insertionRemittance'],
            }),
          ),
        'an array.',
      )
      .check(
        z.minLength(1, 'at least one output to internalize from the transaction'),
        z.maxLength(MAX_CALL_ITEMS, noMore(MAX_CALL_ITEMS)),
      ),
    description,
    labels: names,
    seekPermission: flag(true),
    tx: bytes,
  }),
  listOutputs: z.object({
    tagQueryMode: or(z.enum(['any', 'all'], "undefined, 'any', or 'all'"), 'any'),
    basket: identifier,
    tags: names,
    include: optional(z.enum(['locking scripts', 'entire transactions'], "'locking scripts' or 'entire transactions'")),
    includeCustomInstructions: flag(false),
    includeTags: flag(false),
    includeLabels: flag(false),
    limit,
    offset: or(integer(-Number.MAX_SAFE_INTEGER), 0),
    seekPermission: flag(true),
  }),
  relinquishOutput: z.object({ basket: identifier, output: outpoint }),
  getPublicKey: z.union([
    z.object({ identityKey: z.literal(true), ...rights }),
    z.object({ identityKey: optional(z.literal(false)), ...withKey, forSelf: flag(false) }),
  ]),
  encrypt: z.object({ plaintext: bytes, ...withKey }),
  decrypt: z.object({ ciphertext: bytes, ...withKey }),
  createHmac: z.object({ data: bytes, ...withKey }),
  verifyHmac: z.object({ data: bytes, hmac: bytes, ...withKey }),
  createSignature: z.object({ data: optional(bytes), hashToDirectlySign: optional(hash), ...withKey }).check(
    z.refine(({ data, hashToDirectlySign: digest }) => data !== undefined || digest !== undefined, {
      error: 'valid.',
      path: ['data or hashToDirectlySign'],
    }),
  ),
  verifySignature: z
    .object({
      data: optional(bytes),
      hashToDirectlyVerify: optional(hash),
      signature: bytes,
      ...withKey,
      forSelf: flag(false),
    })
    .check(
      z.refine(({ data, hashToDirectlyVerify: digest }) => data !== undefined || digest !== undefined, {
        error: 'valid.',
        path: ['data or hashToDirectlyVerify'],
      }),
    ),
  isAuthenticated: nothing,
  waitForAuthentication: nothing,
  getHeight: nothing,
  getHeaderForHeight: z.object({ height: integer(0, 0xff_ff_ff_ff) }),
  getNetwork: nothing,
  getVersion: nothing,
} as const satisfies Partial<Record<Brc100Method, z.ZodMiniType>>;

export type SupportedMethod = keyof typeof brc100Arguments;
export type Brc100Args<M extends SupportedMethod> = z.output<(typeof brc100Arguments)[M]>;

export const isSupported = (method: string): method is SupportedMethod => Object.hasOwn(brc100Arguments, method);

type Bytes = number[];

/** The outcome of a transaction in `sendWith`. */
export interface SendWithResult {
  txid: string;
  status: 'unproven' | 'sending' | 'failed';
}

/** Why an action that was broadcast immediately needs a review (WERR_REVIEW_ACTIONS). */
export interface ReviewActionResult {
  txid: string;
  status: 'success' | 'doubleSpend' | 'serviceError' | 'invalidTx';
  competingTxs?: string[];
}

/** An action, as returned by `listActions`. */
export interface WalletAction {
  txid: string;
  /** Satoshis gained by the wallet, negative if spent. Missing if unknown, as in a restored wallet. */
  satoshis?: number;
  status: 'completed' | 'unprocessed' | 'sending' | 'unproven' | 'unsigned' | 'nosend' | 'nonfinal' | 'failed';
  isOutgoing: boolean;
  description: string;
  labels?: string[];
  version: number;
  lockTime: number;
  inputs?: {
    sourceOutpoint: string;
    sourceSatoshis: number;
    sourceLockingScript?: string;
    unlockingScript?: string;
    inputDescription: string;
    sequenceNumber: number;
  }[];
  outputs?: {
    satoshis: number;
    lockingScript?: string;
    spendable: boolean;
    customInstructions?: string;
    tags: string[];
    outputIndex: number;
    outputDescription: string;
    basket: string;
  }[];
}

export interface Brc100Results {
  createAction: {
    txid?: string;
    tx?: Bytes;
    noSendChange?: string[];
    sendWithResults?: SendWithResult[];
    signableTransaction?: { tx: Bytes; reference: string };
  };
  signAction: { txid?: string; tx?: Bytes; sendWithResults?: SendWithResult[] };
  abortAction: { aborted: true };
  listActions: { totalActions: number; actions: WalletAction[] };
  internalizeAction: { accepted: true };
  listOutputs: {
    totalOutputs: number;
    BEEF?: Bytes;
    outputs: {
      satoshis: number;
      lockingScript?: string;
      spendable: boolean;
      customInstructions?: string;
      tags?: string[];
      outpoint: string;
      labels?: string[];
    }[];
  };
  relinquishOutput: { relinquished: true };
  getPublicKey: { publicKey: string };
  encrypt: { ciphertext: Bytes };
  decrypt: { plaintext: Bytes };
  createHmac: { hmac: Bytes };
  verifyHmac: { valid: true };
  createSignature: { signature: Bytes };
  verifySignature: { valid: true };
  isAuthenticated: { authenticated: boolean };
  waitForAuthentication: { authenticated: true };
  getHeight: { height: number };
  /** An 80-byte block header, hex. */
  getHeaderForHeight: { header: string };
  getNetwork: { network: 'mainnet' | 'testnet' };
  getVersion: { version: string };
}
