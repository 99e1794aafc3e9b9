/** Injects the content scripts into pages that were open before the extension was installed, updated or enabled. */
import type { Manifest, Scripting } from 'webextension-polyfill';
import type { Wallet } from '../../wallet/platform.ts';

/** Key in `storage.session`, which the browser clears when the extension or the browser stops. */
export const OPEN_TABS = 'open-tabs';

type ContentScript = Manifest.ContentScript & { world?: 'ISOLATED' | 'MAIN' };

/** Injects the manifest's content scripts into open pages without a relay. Runs once each time the extension starts. */
export async function reachOpenTabs(wallet: Wallet): Promise<void> {
  if ((await wallet.sessionStorage.get(OPEN_TABS))[OPEN_TABS]) return;
  for (const script of (wallet.runtime.getManifest().content_scripts ?? []) as ContentScript[]) {
    // oxlint-disable-next-line no-await-in-loop -- two scripts
    const tabs = await wallet.tabs.query({ url: script.matches, discarded: false });
    for (const { id } of tabs)
      // Some pages can't be scripted or have already been closed, and unresponsive pages never respond.
      if (id !== undefined) void reach(wallet, id, script).catch(() => undefined);
  }
  // Set last. If the worker is stopped earlier, the next worker repeats everything.
  await wallet.sessionStorage.set({ [OPEN_TABS]: true });
}

async function reach(
  wallet: Wallet,
  tabId: number,
  { js = [], world = 'ISOLATED', all_frames: allFrames = true }: ContentScript,
) {
  const run = (target: Scripting.InjectionTarget) =>
    wallet.scripting.executeScript({ target, files: js, world, injectImmediately: true });
  if (world === 'MAIN') return run({ tabId, allFrames }); // The script does nothing in a page that already has it.
  const found = await wallet.scripting.executeScript({
    target: { tabId, allFrames },
    func: tellLate,
    injectImmediately: true,
  });
  const without = found.filter(({ result }) => result === true);
  // Targets documents instead of frames if possible, because a frame may have navigated to a page that already has the
  // relay.
  const documentIds = without.flatMap((one) => (one as { documentId?: string }).documentId ?? []);
  if (documentIds[0] !== undefined) return run({ tabId, documentIds } as Scripting.InjectionTarget);
  if (without[0]) return run({ tabId, frameIds: without.map(({ frameId }) => frameId) });
  return [];
}

/**
 * Runs in a page, in the relay script's world. Records that the page was open before the extension started.
 * @returns true if the page has no relay
 */
function tellLate(): boolean {
  const world = globalThis as { isLate?: true; hasRelay?: true };
  world.isLate = true;
  return !world.hasRelay;
}
