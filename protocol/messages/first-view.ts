/** The popup's state until the background has responded: the last responses. */
import type { Overview, Settings } from './wallet-messages.ts';

/** Its key in `storage.session`, which is kept in memory while the wallet is unlocked. */
export const FIRST_VIEW = 'first-view';

export interface FirstView {
  overview: Overview;
  settings: Settings;
  /** Time of the wallet's lock (milliseconds since 1970), at which it expires. */
  lockAt: number;
  /** The initial distance of that time (milliseconds). */
  lastsMs: number;
}
