/** More attempts of hostile pages with the BSV wallet interface (BRC-100), which only the full run makes. */
import { afterEach, describe } from 'vitest';
import { setScene, type Scene } from './drive/scene.ts';
import { onStage } from './drive/stage.ts';
import { makeVisits } from './drive/visits.ts';
import { hostileCalls } from './hostile/brc100.ts';

let scene: Scene;
const visits = makeVisits(() => scene);

onStage(
  async () => {
    scene = await setScene({ satoshis: 5_000_000 });
  },
  () => scene?.end(),
);
afterEach(() => visits.end());

describe('hostile pages', () => hostileCalls(() => scene, visits));
