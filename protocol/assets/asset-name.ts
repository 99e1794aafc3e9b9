/**
 * Recognizes an asset's name: a token ID (`txid_vout`), a paymail, or an alias or ID (UUID) at the button's service.
 * Has no imports, to keep the button's script small.
 */

/** Syntax of an asset's name, in lower case. Currency codes are in upper case. */
export const ASSET_NAME =
  /^(?:[\da-f]{64}_\d{1,10}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\w.-]{1,64}@[\w.-]{1,253}(?::\d{1,5})?|(?=.{3,30}$)(?=[\d.-]*[a-z])[a-z\d]+(?:[.-][a-z\d]+)*)$/;

/** True if an asset's name is only an alias at the button's service. All other names are longer or contain an @. */
export const isBareAlias = (name: string): boolean => name.length <= 30 && !name.includes('@');

/** True for the name of an asset, false for a currency code. */
export const isAssetName = (currency: string): boolean => /[^A-Z]/.test(currency);
