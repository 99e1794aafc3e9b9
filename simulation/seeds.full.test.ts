import { testSeeds } from './testing-seeds.ts';

testSeeds(26, 4975);
