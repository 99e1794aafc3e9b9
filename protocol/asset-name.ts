/**
 * How an output names the asset that it pays, in place of a currency's code: the token's ID (`txid_vout`), the asset's
 * paymail, or its ID at a service (a UUID). Without imports, because the button's script uses it.
 */

/** The form of such a name, in lower case. No code of a currency has it. */
export const ASSET_NAME =
  /^(?:[\da-f]{64}_\d{1,10}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\w.-]{1,64}@[\w.-]{1,253}(?::\d{1,5})?)$/;

/** Is it the name of an asset, among what is that or a currency's code? */
export const isAssetName = (currency: string): boolean => /[^A-Z]/.test(currency);
