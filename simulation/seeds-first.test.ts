import { FIRST_SEED, runsByLuck, SOAKING } from '../testing/soak.ts';
import { testSeeds } from './testing-seeds.ts';

testSeeds(FIRST_SEED, SOAKING ? 5 * runsByLuck(0) : 300);
