/** A site's prompt, as stored. */
import type { WireError } from '../../protocol/errors/service-error.ts';

/** The prompt's window: an id that can't be guessed, the browser's id, and when it was first shown. */
export interface PromptWindow {
  id: string;
  windowId: number | null;
  shownAt: number | null;
}

/**
 * `withheld`: the kind may still answer it without the user, so it doesn't count towards the limit of windows.
 * `preparing`: it counts, and its contents are being computed. `awaitingDecision`: its window is open or about to open.
 */
export type PromptState = 'withheld' | 'preparing' | 'awaitingDecision';

/** Times are milliseconds since 1970. */
export interface Prompt<Details = unknown, Answer = unknown> {
  kind: string;
  origin: string;
  /** The name that identifies a repeated request: the message's, the request's, or one derived from the details. */
  message: string;
  createdAt: number;
  state: PromptState;
  window: PromptWindow;
  /** The details that its kind stores. */
  details: Details;
  /** The outcome; null while it is open. Kept for a while for a relay that repeats the request. */
  outcome: { answer: Answer } | { error: WireError } | null;
}
