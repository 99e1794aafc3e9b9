/** The interface writes outpoints with a full stop, the wallet with a colon. */

/** `txid.vout` as `txid:vout`. */
export const stored = (outpoint: string): string => outpoint.replace('.', ':');

/** `txid:vout` as `txid.vout`. */
export const shown = (outpoint: string): string => outpoint.replace(':', '.');
