/** The offers and receipts of this run of the worker. */
import { randomId } from '../prompts/window.ts';
import { createOffers } from './offers.ts';
import { createReceipts } from './receipts.ts';

export const offers = createOffers(randomId, Date.now);

export const receipts = createReceipts(randomId, Date.now);
