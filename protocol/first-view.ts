/** What the popup shows before the background has answered: the answers of last time. */
import type { Overview, Settings } from './wallet-messages.ts';

/** Its name in `storage.session`: it is kept in memory, while the wallet is unlocked. */
export const FIRST_VIEW = 'first-view';

/** What is kept there. */
export interface FirstView {
  overview: Overview;
  settings: Settings;
  /** When the wallet locks (milliseconds since 1970): it counts no longer then. */
  lockAt: number;
  /** How far ahead that was when it was set (milliseconds). */
  lastsMs: number;
}
