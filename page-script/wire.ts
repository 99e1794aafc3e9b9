/**
 * The values of protocol/page-messages.ts that the page script needs at run time. That file brings zod with it, which
 * has no place in a page, so they are written again here; their types make the compiler compare them.
 */
import type { CHANNEL as Channel, WALLET_PRESENT } from '../protocol/page-messages.ts';

/** Marks our messages among a page's own. */
export const CHANNEL: typeof Channel = 'service-button/1';
/** The relay's own announcement. */
export const PRESENT_EVENT: (typeof WALLET_PRESENT)['event'] = 'wallet-present';
