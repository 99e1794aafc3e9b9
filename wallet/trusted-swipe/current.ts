/** The offers and receipts of this run of the worker. */
import { randomId } from '../prompts/window.ts';
import { createOffers } from './offers.ts';
import { createReceipts } from './receipts.ts';
import { part } from '../platform.ts';

export const offers = part((wallet) => createOffers(() => randomId(wallet), wallet.now));

export const receipts = part((wallet) => createReceipts(() => randomId(wallet), wallet.now));
