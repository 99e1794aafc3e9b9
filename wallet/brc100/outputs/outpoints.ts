/** Outpoints have a full stop in the interface, and a colon in the wallet. */

/** `txid.vout` as `txid:vout`. */
export const stored = (outpoint: string): string => outpoint.replace('.', ':');

/** `txid:vout` as `txid.vout`. */
export const shown = (outpoint: string): string => outpoint.replace(':', '.');
