/**
 * How an output names its asset: the token's ID (`txid_vout`), the asset's paymail, its alias at the button's service,
 * or its ID there (a UUID). Without imports, for the button's script.
 */

/** The form of such a name, in lower case. Codes of currencies are in upper case. */
export const ASSET_NAME =
  /^(?:[\da-f]{64}_\d{1,10}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\w.-]{1,64}@[\w.-]{1,253}(?::\d{1,5})?|(?=.{3,30}$)(?=[\d.-]*[a-z])[a-z\d]+(?:[.-][a-z\d]+)*)$/;

/** True if an asset's name is only an alias, at the button's service. All others are longer, or contain an @. */
export const isBareAlias = (name: string): boolean => name.length <= 30 && !name.includes('@');

/** True if a name of an asset or a currency's code is the former. */
export const isAssetName = (currency: string): boolean => /[^A-Z]/.test(currency);
