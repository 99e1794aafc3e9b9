import { testSeeds } from './testing-seeds.ts';

testSeeds(61, 4940);
