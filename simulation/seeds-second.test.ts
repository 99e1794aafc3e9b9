import { FIRST_SEED, runsByLuck } from '../testing/soak.ts';
import { testSeeds } from './testing-seeds.ts';

const seeds = 5 * runsByLuck(110);
testSeeds(FIRST_SEED + seeds, seeds);
