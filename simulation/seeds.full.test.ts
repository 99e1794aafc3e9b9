import { testSeeds } from './testing-seeds.ts';

testSeeds(101, 4900);
