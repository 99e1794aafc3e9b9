import { FIRST_SEED, runsByLuck, SOAKING } from '../testing/soak.ts';
import { testSeeds } from './testing-seeds.ts';

const seeds = SOAKING ? 5 * runsByLuck(0) : 300;
testSeeds(FIRST_SEED + seeds, seeds);
