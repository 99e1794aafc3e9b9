import { testSeeds } from './testing-seeds.ts';

testSeeds(5001, 5000);
