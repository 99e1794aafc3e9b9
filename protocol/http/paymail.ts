/**
 * Paymail (bsvalias, BRFC), as shared by client and host: handles, the discovery document, and the bodies of each
 * capability. Schemas are strict where it matters, because hosts are untrusted.
 */
import * as z from 'zod/mini';

/** Capabilities by our name, with their key in the discovery document (BRFC id, or a plain word). */
export const CAPABILITIES = {
  pki: 'pki',
  paymentDestination: 'paymentDestination',
  verifyPublicKey: 'a9f510c16bde',
  publicProfile: 'f12f968c92d6',
  p2pDestination: '2a40af698840',
  receiveTransaction: '5f1323cddf31',
  receiveBeef: '5c55a7fdb7bb',
  /** BRFC cc2154bfa6a2: destinations of ordinals, and of the tokens that they carry. */
  ordinalDestination: 'cc2154bfa6a2',
  /** BRFC 2cc00c7f93c3: transactions with ordinals, raw. */
  receiveOrdinal: '2cc00c7f93c3',
  /** Our own: the token of an asset's paymail, as `/api/v2/assets/{name}` returns it. */
  asset: 'asset',
  /** BRFC 6745385c3fc0: sender validation; `true` if a request for a payment destination must be signed. */
  senderValidation: '6745385c3fc0',
} as const;
export type Capability = keyof typeof CAPABILITIES;

export const DISCOVERY_PATH = '/.well-known/bsvalias';
export const MAX_DESTINATION_OUTPUTS = 50;
/** Maximum characters of a note that are stored. */
export const MAX_NOTE = 500;
/** Maximum deviation of a signed request's time (milliseconds; BRFC 6745385c3fc0). */
export const SENDER_TIME_MS = 120_000;

/** A paymail's two halves, in lower case. Only this machine's domain may have a port (devnet). */
export interface Paymail {
  alias: string;
  domain: string;
}

/**
 * Reads a paymail, case-insensitively (BRFC "Addressing"): both halves are returned in lower case. Null if it is
 * malformed, or has characters that a URL's path or a domain name can't contain.
 */
export function readPaymail(text: string): Paymail | null {
  if (text.length > 320) return null;
  // Before the lengths are checked, since lower-case letters may be longer.
  const [alias, domain, ...rest] = text.toLowerCase().split('@');
  if (!alias || !domain || rest.length > 0 || alias.length > 64 || domain.length > 253) return null;
  // No spaces, control characters, or characters with a meaning in a template, path or query.
  if (/[\p{C}\p{Z}/?#%\\{}"<>|^`]/u.test(text) || alias === '.' || alias === '..') return null;
  if (!/^[^:.\s]+(?:\.[^:.\s]+)*(?::\d{1,5})?$/u.test(domain)) return null;
  return { alias, domain };
}

export function writePaymail({ alias, domain }: Paymail): string {
  return `${alias}@${domain}`;
}

/** Puts values into a capability's template (`{alias}`, `{domain.tld}`, `{pubkey}`), each as a part of a path. */
export function fillTemplate(template: string, { alias, domain }: Paymail, pubkey = ''): string {
  return template
    .replaceAll('{alias}', encodeURIComponent(alias))
    .replaceAll('{domain.tld}', encodeURIComponent(domain).replaceAll('%3A', ':'))
    .replaceAll('{pubkey}', pubkey);
}

/** A compressed public key, hex. */
const publicKey = z.string().check(z.regex(/^0[23][0-9a-fA-F]{64}$/));
const handle = z.string().check(z.maxLength(400));
const script = z.string().check(z.maxLength(20_000), z.regex(/^(?:[0-9a-fA-F]{2})+$/));
/** Whole satoshis of no more than 21 million BSV. */
const MAX_SATOSHIS = 2_100_000_000_000_000;
const satoshis = z.int().check(z.minimum(1), z.maximum(MAX_SATOSHIS));
const reference = z.string().check(z.minLength(1), z.maxLength(1000));
const shortText = z.nullish(z.string().check(z.maxLength(MAX_NOTE)));
/** Truncated if longer: a payment that the network has must not wait for its note. */
const note = z.nullish(z.string().check(z.maxLength(100_000)));

/** `GET /.well-known/bsvalias`. Values of unknown capabilities may be anything. */
export const discoveryDocument = z.object({ bsvalias: z.string(), capabilities: z.record(z.string(), z.unknown()) });
/** pki: the handle's identity key. */
export const pkiResponse = z.object({ bsvalias: z.string(), handle, pubkey: publicKey });
/** Verify public key owner: always 200. */
export const verifyPublicKeyResponse = z.object({
  bsvalias: z.optional(z.string()),
  handle,
  pubkey: z.string(),
  match: z.boolean(),
});
/** Public profile. The avatar's address is not followed by the wallet. */
export const publicProfileResponse = z.object({
  name: z.nullish(z.string().check(z.maxLength(1000))),
  avatar: z.nullish(z.string().check(z.maxLength(2000))),
});

/** Payment destination (basic address resolution): `dt` is ISO 8601. */
export const paymentDestinationRequest = z.object({
  senderHandle: handle,
  dt: z.string().check(z.maxLength(40)),
  senderName: shortText,
  // Some clients send 0 for an amount that they don't know yet.
  amount: z.nullish(z.int().check(z.minimum(0), z.maximum(MAX_SATOSHIS))),
  purpose: shortText,
  signature: z.nullish(z.string().check(z.maxLength(200))),
  pubkey: z.nullish(publicKey),
});
/** The response: a locking script. */
export const paymentDestinationResponse = z.object({ output: script });
/** The text that a sender signs for it (BRFC 6745385c3fc0). A missing amount is 0 and a missing purpose is empty. */
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

/** P2P payment destination. */
export const p2pDestinationRequest = z.object({ satoshis });
/** The response. The sender checks the sum. */
export const p2pDestinationResponse = z.object({
  outputs: z.array(z.object({ script, satoshis })).check(z.minLength(1), z.maxLength(MAX_DESTINATION_OUTPUTS)),
  reference,
});
/** Destination of ordinals: how many outputs of one satoshi each. */
export const ordinalDestinationRequest = z.object({
  ordinals: z.int().check(z.minimum(1), z.maximum(MAX_DESTINATION_OUTPUTS)),
});
/** The response: the locking script of each. */
export const ordinalDestinationResponse = z.object({
  outputs: z.array(z.object({ script })).check(z.minLength(1), z.maxLength(MAX_DESTINATION_OUTPUTS)),
  reference,
});
/**
 * The sender, and a note. `signature`: Bitcoin signed message over the txid's hexadecimal text, base64, by `pubkey`.
 */
export const p2pMetadata = z.object({
  sender: z.nullish(handle),
  pubkey: z.nullish(z.string().check(z.maxLength(200))),
  signature: z.nullish(z.string().check(z.maxLength(200))),
  note,
});
const hexBytes = z.string().check(z.minLength(2), z.maxLength(20_000_000), z.regex(/^(?:[0-9a-fA-F]{2})+$/));
/** P2P receive, raw. */
export const receiveTransactionRequest = z.object({ hex: hexBytes, metadata: z.nullish(p2pMetadata), reference });
/** P2P receive, BEEF (BRC-62), hex. */
export const receiveBeefRequest = z.object({ beef: hexBytes, metadata: z.nullish(p2pMetadata), reference });
/** The response to both. */
export const receiveResponse = z.object({
  txid: z.string().check(z.regex(/^[0-9a-fA-F]{64}$/)),
  note: z.nullish(z.string().check(z.maxLength(10_000))),
});
/** An error of this host: code and message at the top for other services' clients, and nested as everywhere else. */
export const paymailError = z.object({
  code: z.string(),
  message: z.string(),
  error: z.object({ code: z.string(), message: z.string() }),
});
