/** The popup's initial data: the background's latest responses, shown until the background responds again. */
import type { Overview, Settings } from './wallet-messages.ts';

/**
 * Key in `storage.session`, which the browser keeps in memory. The data is stored only while the wallet is unlocked.
 */
export const FIRST_VIEW = 'first-view';

export interface FirstView {
  overview: Overview;
  settings: Settings;
  /** When the wallet locks and this data expires (milliseconds since 1970). */
  lockAt: number;
  /** Time between storing this data and `lockAt` (milliseconds). */
  lastsMs: number;
}
