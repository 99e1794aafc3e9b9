/**
 * Keeps mocks that a test declares while an import is resolving earlier ones. Vitest 4 drops them: `resolveMocks`
 * empties the list of declared mocks after it has resolved only those that were in the list at the beginning.
 */
interface Mocker {
  resolveMocks: () => Promise<void>;
  keepsLateMocks?: true;
}

const mocker = (globalThis as { __vitest_mocker__?: Mocker }).__vitest_mocker__;
const lists = mocker && (Object.getPrototypeOf(mocker.constructor) as { pendingIds?: unknown[] });

if (mocker && lists?.pendingIds && !mocker.keepsLateMocks) {
  const resolveMocks = mocker.resolveMocks.bind(mocker);
  let running = Promise.resolve();
  mocker.keepsLateMocks = true;
  mocker.resolveMocks = () => {
    const next = running.then(async () => {
      const declared = lists.pendingIds!;
      const count = declared.length;
      await resolveMocks();
      lists.pendingIds!.unshift(...declared.slice(count));
    });
    running = next.catch(() => undefined); // An import that fails must not make the later ones fail.
    return next;
  };
}
