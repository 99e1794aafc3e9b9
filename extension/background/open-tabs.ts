/** Brings the wallet to pages that were open before it was installed, updated or switched on. */
import type { Manifest, Scripting } from 'webextension-polyfill';
import type { Wallet } from '../../wallet/platform.ts';

/** Name in `storage.session`, which the browser empties when it ends the extension or itself. */
export const OPEN_TABS = 'open-tabs';

type ContentScript = Manifest.ContentScript & { world?: 'ISOLATED' | 'MAIN' };

/** Runs the manifest's content scripts in open pages, once per run of the extension, unless they have the relay. */
export async function reachOpenTabs(wallet: Wallet): Promise<void> {
  if ((await wallet.sessionStorage.get(OPEN_TABS))[OPEN_TABS]) return;
  for (const script of (wallet.runtime.getManifest().content_scripts ?? []) as ContentScript[]) {
    // oxlint-disable-next-line no-await-in-loop -- two scripts
    const tabs = await wallet.tabs.query({ url: script.matches, discarded: false });
    for (const { id } of tabs)
      // Some pages may not be scripted, or are left in the meantime. Pages that hang never answer.
      if (id !== undefined) void reach(wallet, id, script).catch(() => undefined);
  }
  // Last: a worker that is stopped before it repeats the rest.
  await wallet.sessionStorage.set({ [OPEN_TABS]: true });
}

async function reach(
  wallet: Wallet,
  tabId: number,
  { js = [], world = 'ISOLATED', all_frames: allFrames = true }: ContentScript,
) {
  const run = (target: Scripting.InjectionTarget) =>
    wallet.scripting.executeScript({ target, files: js, world, injectImmediately: true });
  if (world === 'MAIN') return run({ tabId, allFrames }); // it ignores a page that has it
  const found = await wallet.scripting.executeScript({
    target: { tabId, allFrames },
    func: tellLate,
    injectImmediately: true,
  });
  const without = found.filter(({ result }) => result === true);
  // By document where the browser knows them: a frame may show the next page by now, which has the relay.
  const documentIds = without.flatMap((one) => (one as { documentId?: string }).documentId ?? []);
  if (documentIds[0] !== undefined) return run({ tabId, documentIds } as Scripting.InjectionTarget);
  if (without[0]) return run({ tabId, frameIds: without.map(({ frameId }) => frameId) });
  return [];
}

/** Runs in the relay's world of a page: leaves word that the page was open. @returns whether it has no relay */
function tellLate(): boolean {
  const world = globalThis as { isLate?: true; hasRelay?: true };
  world.isLate = true;
  return !world.hasRelay;
}
