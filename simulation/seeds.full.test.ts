import { testSeeds } from './testing-seeds.ts';

testSeeds(201, 9800);
