import { describe } from 'vitest';
import { setScene, type Scene } from '../drive/scene.ts';
import { onStage } from '../drive/stage.ts';
import { departures, hastyDepartures } from './departures.ts';
import { floods } from './floods.ts';
import { messages } from './messages.ts';
import { operations } from './operations.ts';

let scene: Scene;

onStage(
  async () => {
    scene = await setScene({ satoshis: 5_000_000 });
  },
  () => scene?.end(),
);

// Floods run first, because they require a certain number of coins.
describe('floods', () => floods(() => scene));
describe('messages', () => messages(() => scene));
describe('leaving a page', () =>
  departures(() => scene, ['goes elsewhere', 'goes to another site', 'is reloaded', 'navigates its frame']));
describe('leaving a page immediately', () => hastyDepartures(() => scene));
describe('operations', () => operations(() => scene));
