/** The setup that the attack files share: one browser, one wallet and one arena. */
import { afterEach } from 'vitest';
import { setScene, type Scene } from '../../drive/scene.ts';
import { onStage } from '../../drive/stage.ts';
import { allowSwipesOnAnySite } from '../../../tooling/drive/trusted-swipe.ts';
import { setArena, type Arena } from './arena.ts';
import { writeOtherExtension } from './documents.ts';

/** @returns the arena, and the ID of another extension in the same browser */
export function useArena(): { arena: () => Arena; otherExtension: () => string } {
  let scene: Scene;
  let arena: Arena;
  let other: Awaited<ReturnType<typeof writeOtherExtension>>;

  onStage(
    async () => {
      other = await writeOtherExtension();
      scene = await setScene({ satoshis: 50_000_000, beside: other.folder });
      await allowSwipesOnAnySite(scene.page);
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
  return { arena: () => arena, otherExtension: () => other.id };
}
