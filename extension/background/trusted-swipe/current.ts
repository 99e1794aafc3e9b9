/** The offers of this run of the worker. */
import { randomId } from '../prompts/window.ts';
import { createOffers } from './offers.ts';

/** See offers.ts. */
export const offers = createOffers(randomId, Date.now);
