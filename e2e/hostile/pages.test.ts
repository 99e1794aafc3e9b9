/** What hostile pages try, on one stage: a browser and a service take seconds to start. */
import { describe } from 'vitest';
import { setScene, type Scene } from '../drive/scene.ts';
import { onStage } from '../drive/stage.ts';
import { floods } from './floods.ts';
import { frames } from './frames.ts';
import { messages } from './messages.ts';
import { operations } from './operations.ts';
import { windows } from './windows.ts';

let scene: Scene;

onStage(
  async () => {
    scene = await setScene({ satoshis: 5_000_000 });
  },
  () => scene?.end(),
);

// Floods first: they count the wallet's coins.
describe('floods', () => floods(() => scene));
describe('messages', () => messages(() => scene));
describe('frames', () => frames(() => scene));
describe('windows', () => windows(() => scene));
describe('operations and recipients', () => operations(() => scene));
