import { FIRST_SEED, runsByLuck } from '../testing/soak.ts';
import { testSeeds } from './testing-seeds.ts';

testSeeds(FIRST_SEED, 5 * runsByLuck(110));
