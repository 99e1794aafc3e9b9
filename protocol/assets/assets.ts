/**
 * API bodies for assets: BSV-21 tokens (1Sat Ordinals) that users define at the service and mint with their wallets.
 * Users see the validation messages.
 */
import * as z from 'zod/mini';
import { MAX_DECIMALS, readTokenAmount } from './bsv21/token.ts';
import { isShownLine, isShownText, isVisible } from '../text/shown-text.ts';
import { isSiteAddress } from '../text/web-address.ts';

/** Maximum number of assets per user. */
export const MAX_ASSETS = 100;
/** The ledger protocol of every asset. */
export const ASSET_PROTOCOL = 'bsv-21';

/** An asset's states: no token yet, token accepted by the network, token mined. */
export const ASSET_STATES = ['pending', 'minting', 'minted'] as const;
export type AssetState = (typeof ASSET_STATES)[number];

/** A token's ID: the transaction ID and index of the minting output. */
export const tokenId = z.string().check(z.regex(/^[0-9a-f]{64}_(?:0|[1-9]\d{0,9})$/));
/** An amount in the token's smallest units, at least 1. */
export const tokenAmount = z.string().check(
  z.regex(/^[1-9]\d{0,19}$/),
  z.refine((text) => readTokenAmount(text) !== null),
);

const line = (what: string, most: number) =>
  z.string(`${what} must be text.`).check(z.maxLength(most, `${what} must be at most ${most} characters.`));
const address = (what: string) =>
  line(what, 500).check(
    z.refine(
      (text) => text.length > 500 || text.trim() === '' || isHttps(text.trim()),
      `${what} must begin with https:// and can’t contain #, a user or a password.`,
    ),
  );
/** Pictures and links are accepted only over https. */
const isHttps = (text: string) => isSiteAddress(text) && /^https:/i.test(text);
const maybe = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema));
const SUPPLY = 'The supply must be a whole number from 1 to 18446744073709551615, in the smallest units.';

const described = {
  name: line('The name', 100).check(
    z.refine((text) => text.length > 100 || [...text.trim()].length >= 5, 'The name must be at least 5 characters.'),
    z.refine((text) => text.trim() === '' || isVisible(text), 'The name must contain visible characters.'),
    z.refine((text) => isShownLine(text), 'The name contains characters that can’t be displayed.'),
  ),
  description: maybe(
    line('The description', 1000).check(
      z.refine(isShownText, 'The description contains characters that can’t be displayed.'),
    ),
  ),
  avatar: maybe(address('The picture')),
};

/** POST /api/v2/me/assets. Omitted, null and empty fields mean "not set". */
export const newAsset = z.strictObject({
  ...described,
  /** In smallest units: a JSON number up to 2^53, or a string for larger values. */
  initialSupply: z
    .union([z.string(), z.number()], SUPPLY)
    .check(z.refine((value) => readSupply(value) !== null, SUPPLY)),
  /** `bsv-21`. The name of the original service's discontinued protocol is also accepted. */
  protocol: z
    .string('The protocol must be bsv-21.')
    .check(z.regex(/^(?:bsv-?21|sfp(?:@\d[\d.]{0,9})?)$/i, 'The protocol must be bsv-21.')),
  decimals: z.optional(
    z
      .int('The decimals must be a whole number from 0 to 18.')
      .check(
        z.minimum(0, 'The decimals must be a whole number from 0 to 18.'),
        z.maximum(MAX_DECIMALS, 'The decimals must be a whole number from 0 to 18.'),
      ),
  ),
  url: maybe(address('The site')),
  /** A paymail alias at this service, which must not be a user's handle. Generated if omitted. */
  paymailAlias: maybe(line('The alias', 30)),
  paymailDomain: maybe(line('The domain', 253)),
});

/** PUT /api/v2/me/assets/{id}. Omitted fields remain unchanged. All other properties of an asset are immutable. */
export const changedAsset = z.partial(z.strictObject(described));

/** Returns the supply in a request body, or null if the value isn't a valid token amount. */
export function readSupply(value: string | number): bigint | null {
  if (typeof value === 'string') return readTokenAmount(value);
  return Number.isSafeInteger(value) && value > 0 ? BigInt(value) : null;
}

const publicShape = {
  id: z.string(),
  name: z.string(),
  description: z.string(),
  avatar: z.nullable(z.string()),
  url: z.nullable(z.string()),
  protocol: z.literal(ASSET_PROTOCOL),
  /** In the token's smallest units: one whole token is 10^`decimals` units. */
  initialSupply: z.string(),
  decimals: z.number(),
  userId: z.string(),
  paymailAlias: z.string(),
  paymailDomain: z.string(),
  state: z.enum(ASSET_STATES),
  /** Null while the asset is `pending`. */
  tokenId: z.nullable(tokenId),
  createdAt: z.string(),
  updatedAt: z.string(),
};
/** The response body for all requests except lists. */
export const asset = z.object(publicShape);
export type Asset = z.infer<typeof asset>;

/** GET /api/v2/me/assets, newest first. */
export const assetsResponse = z.object({ assets: z.array(asset), nextCursor: z.nullable(z.string()) });
export const assetListQuery = z.strictObject({
  limit: z.optional(z.string().check(z.regex(/^(?:[1-9]\d?|100)$/))),
  cursor: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,200}$/))),
});

/** Maximum size of a minting transaction, in hexadecimal digits. */
export const MAX_MINT_HEX = 90_000;
/** POST /api/v2/me/assets/{id}/mint, sent by the owner's wallet after the broadcast. Idempotent. */
export const mintReport = z.strictObject({
  tokenId,
  rawtx: z.string().check(z.maxLength(MAX_MINT_HEX), z.regex(/^(?:[0-9a-f]{2})+$/)),
  /** Signature of {@link mintMessage} with the key of the transaction's first input, base64. */
  inputProof: z.string().check(z.regex(/^[A-Za-z0-9+/]{87}=$/)),
});
export type MintReport = z.infer<typeof mintReport>;

/**
 * Returns the text that the key of a minting transaction's first input signs (Bitcoin signed message). Without that
 * signature, anyone could link another user's token to their own asset.
 * @param publicKey identity key of the asset's owner, hex
 */
export function mintMessage(assetId: string, txid: string, publicKey: string): string {
  return `Service Button asset mint\nAsset: ${assetId}\nTransaction: ${txid}\nOwner: ${publicKey}`;
}
