/** The popup's initial state: the background's latest responses, shown until the background responds again. */
import type { Overview, Settings } from './wallet-messages.ts';

/** The state's key in `storage.session`, which is in memory and filled only while the wallet is unlocked. */
export const FIRST_VIEW = 'first-view';

export interface FirstView {
  overview: Overview;
  settings: Settings;
  /** When the wallet locks and this state expires (milliseconds since 1970). */
  lockAt: number;
  /** Time until `lockAt` when this was stored (milliseconds). */
  lastsMs: number;
}
