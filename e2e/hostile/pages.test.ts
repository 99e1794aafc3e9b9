/** Tests attacks by hostile pages that need a real browser. All these tests use the same setup. */
import { describe } from 'vitest';
import { setScene, type Scene } from '../drive/scene.ts';
import { onStage } from '../drive/stage.ts';
import { departures } from './departures.ts';
import { frames } from './frames.ts';
import { windows } from './windows.ts';

let scene: Scene;

onStage(
  async () => {
    scene = await setScene({ satoshis: 5_000_000 });
  },
  () => scene?.end(),
);

describe('frames', () => frames(() => scene));
describe('leaving a page', () => departures(() => scene, ['is closed', 'removes its frame']));
describe('windows', () => windows(() => scene));
