/**
 * What a page tries against trusted swipes: swipes in a frame of the wallet over its button, which pay without a window.
 * One browser, one wallet, one site; an honest swipe before and after, so that nothing fails only because nothing works.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { setScene, type Scene } from '../../drive/scene.ts';
import { onStage } from '../../drive/stage.ts';
import { allowSwipesOnAnySite } from '../../drive/trusted-swipe.ts';
import { attack, setArena, type Arena } from './arena.ts';
import { disguises } from './disguises.ts';
import { documents, writeOtherExtension } from './documents.ts';
import { floods } from './floods.ts';
import { hands } from './hands.ts';
import { hangs } from './hangs.ts';
import { movements } from './movements.ts';
import { overlays } from './overlays.ts';
import { looks, privacy } from './privacy.ts';
import { tickets } from './tickets.ts';

let scene: Scene;
let arena: Arena;
let other: Awaited<ReturnType<typeof writeOtherExtension>>;

onStage(
  async () => {
    other = await writeOtherExtension();
    scene = await setScene({ satoshis: 50_000_000, beside: other.folder });
    if (!process.env.NOALLOW) await allowSwipesOnAnySite(scene.page);
    arena = await setArena(scene);
  },
  async () => {
    await arena?.close();
    await scene?.end();
    await other?.remove();
  },
);
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await scene?.picture(task.name);
});

describe.each([
  ['overlays', overlays],
  ['movements', movements],
  ['hands', hands],
  ['hangs', hangs],
])('%s', (_, attacks) => {
  test('an honest swipe is paid, which the check of attacks notices', async () => {
    await arena.minutePasses();
    await attack(arena, { name: 'honest' });
    await expect(arena.expectNothing()).rejects.toThrow(/expected 'paid' to be 'busy'/);
  });

  test.each(attacks)('$name', async (one) => {
    await attack(arena, one);
    await arena.expectNothing();
  });
});
describe('disguises', () => disguises(() => arena));
describe('documents', () =>
  documents(
    () => arena,
    () => other.id,
  ));
describe('privacy', () => privacy(() => arena));
describe('looks', () => looks(() => arena));
describe('floods', () => floods(() => arena));
describe('tickets', () => tickets(() => arena));
