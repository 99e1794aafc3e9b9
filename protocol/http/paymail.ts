/**
 * Paymail (bsvalias, BRFC), shared by the client and the host: handles, the discovery document, and the bodies of each
 * capability. The schemas are strict for all fields that affect payments, because hosts are untrusted.
 */
import * as z from 'zod/mini';
import { hex } from './hex.ts';

/** Capabilities by our name, with their key in the discovery document (a BRFC ID or a word). */
export const CAPABILITIES = {
  pki: 'pki',
  paymentDestination: 'paymentDestination',
  verifyPublicKey: 'a9f510c16bde',
  publicProfile: 'f12f968c92d6',
  p2pDestination: '2a40af698840',
  receiveTransaction: '5f1323cddf31',
  receiveBeef: '5c55a7fdb7bb',
  /** BRFC cc2154bfa6a2: destinations for ordinals and tokens. */
  ordinalDestination: 'cc2154bfa6a2',
  /** BRFC 2cc00c7f93c3: receives raw transactions with ordinals. */
  receiveOrdinal: '2cc00c7f93c3',
  /** This project's capability: the token of an asset's paymail, as returned by `/api/v2/assets/{name}`. */
  asset: 'asset',
  /** BRFC 6745385c3fc0: sender validation. The value is `true` if requests for a payment destination must be signed. */
  senderValidation: '6745385c3fc0',
} as const;
export type Capability = keyof typeof CAPABILITIES;

export const DISCOVERY_PATH = '/.well-known/bsvalias';
export const MAX_DESTINATION_OUTPUTS = 50;
/** Maximum number of ordinals per request: the service's address gap limit, because each one gets its own address. */
export const MAX_REQUESTED_ORDINALS = 20;
/** Maximum stored length of a note (characters). */
export const MAX_NOTE = 500;
/** Maximum deviation of a signed request's time (milliseconds; BRFC 6745385c3fc0). */
export const SENDER_TIME_MS = 120_000;

/** A paymail's two parts in lower case. Only a domain on this machine may have a port, which devnet needs. */
export interface Paymail {
  alias: string;
  domain: string;
}

/**
 * Parses a paymail case-insensitively (BRFC "Addressing") into lower-case parts. Returns null if the paymail is
 * malformed or contains characters that are invalid in a URL path or a domain name.
 */
export function readPaymail(text: string): Paymail | null {
  if (text.length > 320) return null;
  // Converted before the lengths are checked, because the lower-case string can be longer.
  const [alias, domain, ...rest] = text.toLowerCase().split('@');
  if (!alias || !domain || rest.length > 0 || alias.length > 64 || domain.length > 253) return null;
  // Rejects spaces, control characters, and characters with a special meaning in a URL template, path or query.
  if (/[\p{C}\p{Z}/?#%\\{}"<>|^`]/u.test(text) || alias === '.' || alias === '..') return null;
  if (!/^[^:.\s]+(?:\.[^:.\s]+)*(?::\d{1,5})?$/u.test(domain)) return null;
  return { alias, domain };
}

export function writePaymail({ alias, domain }: Paymail): string {
  return `${alias}@${domain}`;
}

/** Fills a capability's template (`{alias}`, `{domain.tld}`, `{pubkey}`). Encodes each value for a URL path. */
export function fillTemplate(template: string, { alias, domain }: Paymail, pubkey = ''): string {
  return template
    .replaceAll('{alias}', encodeURIComponent(alias))
    .replaceAll('{domain.tld}', encodeURIComponent(domain).replaceAll('%3A', ':'))
    .replaceAll('{pubkey}', pubkey);
}

/** A compressed public key, hex. */
const publicKey = z.string().check(z.regex(/^0[23][0-9a-fA-F]{64}$/));
const handle = z.string().check(z.maxLength(400));
const script = hex(20_000);
/** A whole number of satoshis, up to 21 million BSV. */
const MAX_SATOSHIS = 2_100_000_000_000_000;
const satoshis = z.int().check(z.minimum(1), z.maximum(MAX_SATOSHIS));
const reference = z.string().check(z.minLength(1), z.maxLength(1000));
const shortText = z.nullish(z.string().check(z.maxLength(MAX_NOTE)));
/** Long notes are truncated, not rejected, because the network already has the payment. */
const note = z.nullish(z.string().check(z.maxLength(100_000)));

/** `GET /.well-known/bsvalias`. The values of unknown capabilities can be anything. */
export const discoveryDocument = z.object({ bsvalias: z.string(), capabilities: z.record(z.string(), z.unknown()) });
/** Capability `pki`: the identity key of a handle. */
export const pkiResponse = z.object({ bsvalias: z.string(), handle, pubkey: publicKey });
/** Capability `verifyPublicKey`: whether a key belongs to a handle. The HTTP status is always 200. */
export const verifyPublicKeyResponse = z.object({
  bsvalias: z.optional(z.string()),
  handle,
  pubkey: z.string(),
  match: z.boolean(),
});
/** Capability `publicProfile`. The wallet never requests the avatar's URL. */
export const publicProfileResponse = z.object({
  name: z.nullish(z.string().check(z.maxLength(1000))),
  avatar: z.nullish(z.string().check(z.maxLength(2000))),
});

/** Capability `paymentDestination` (basic address resolution). `dt` is ISO 8601. */
export const paymentDestinationRequest = z.object({
  senderHandle: handle,
  dt: z.string().check(z.maxLength(40)),
  senderName: shortText,
  // Some clients send 0 if they don't know the amount yet.
  amount: z.nullish(z.int().check(z.minimum(0), z.maximum(MAX_SATOSHIS))),
  purpose: shortText,
  signature: z.nullish(z.string().check(z.maxLength(200))),
  pubkey: z.nullish(publicKey),
});
/** The response: a locking script. */
export const paymentDestinationResponse = z.object({ output: script });
/** Returns the text that the sender of a payment destination request signs (BRFC 6745385c3fc0). */
export function paymentDestinationMessage({
  senderHandle,
  amount,
  dt,
  purpose,
}: {
  senderHandle: string;
  amount?: number | null | undefined;
  dt: string;
  purpose?: string | null | undefined;
}): string {
  return `${senderHandle}${amount ?? 0}${dt}${purpose ?? ''}`;
}

/** Capability `p2pDestination`: requests outputs for this amount. */
export const p2pDestinationRequest = z.object({ satoshis });
/** The response. The sender checks that the outputs total the requested amount. */
export const p2pDestinationResponse = z.object({
  outputs: z.array(z.object({ script, satoshis })).check(z.minLength(1), z.maxLength(MAX_DESTINATION_OUTPUTS)),
  reference,
});
/** Capability `ordinalDestination`: requests this many outputs of one satoshi each. */
export const ordinalDestinationRequest = z.object({
  ordinals: z.int().check(z.minimum(1), z.maximum(MAX_REQUESTED_ORDINALS)),
});
/** The response: the locking script for each output. */
export const ordinalDestinationResponse = z.object({
  outputs: z.array(z.object({ script })).check(z.minLength(1), z.maxLength(MAX_DESTINATION_OUTPUTS)),
  reference,
});
/** The sender, and a note. `signature` is a Bitcoin Signed Message signature (base64) of the txid (hex) by `pubkey`. */
export const p2pMetadata = z.object({
  sender: z.nullish(handle),
  pubkey: z.nullish(z.string().check(z.maxLength(200))),
  signature: z.nullish(z.string().check(z.maxLength(200))),
  note,
});
const hexBytes = hex(20_000_000);
/** Capability `receiveTransaction`: delivers a raw transaction. */
export const receiveTransactionRequest = z.object({ hex: hexBytes, metadata: z.nullish(p2pMetadata), reference });
/** Capability `receiveBeef`: delivers a transaction as BEEF (BRC-62), hex. */
export const receiveBeefRequest = z.object({ beef: hexBytes, metadata: z.nullish(p2pMetadata), reference });
/** The response to `receiveTransaction` and `receiveBeef`. */
export const receiveResponse = z.object({
  txid: z.string().check(z.regex(/^[0-9a-fA-F]{64}$/)),
  note: z.nullish(z.string().check(z.maxLength(10_000))),
});
/**
 * An error from our host. The code and message are at the top level for other clients, and nested as in the rest of the
 * API.
 */
export const paymailError = z.object({
  code: z.string(),
  message: z.string(),
  error: z.object({ code: z.string(), message: z.string() }),
});
