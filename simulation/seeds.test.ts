import { testSeeds } from './testing-seeds.ts';

testSeeds(1, 25);
