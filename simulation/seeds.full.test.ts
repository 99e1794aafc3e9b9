import { testSeeds } from './testing-seeds.ts';

testSeeds(101, 9900);
