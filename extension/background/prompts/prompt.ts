/** A question that a site puts to the user, as stored. */
import type { WireError } from '../../../protocol/errors.ts';

/** Its window: an id that cannot be guessed, the browser's id of it, and when it was first shown. */
export interface PromptWindow {
  id: string;
  windowId: number | null;
  shownAt: number | null;
}

/**
 * `withheld`: its kind may yet answer it without the user; it takes no place among the windows. `preparing`: it has its
 * place, and what its window shows is still being worked out. `awaitingDecision`: its window is open, or about to be.
 */
export type PromptState = 'withheld' | 'preparing' | 'awaitingDecision';

/** Times are milliseconds since 1970. */
export interface Prompt<Details = unknown, Answer = unknown> {
  /** Name of its {@link PromptKind}. */
  kind: string;
  origin: string;
  /** The name that it is asked again under: of the page's message, of its request, or of what the kind stores. */
  message: string;
  createdAt: number;
  state: PromptState;
  window: PromptWindow;
  /** What its kind stores with it. */
  details: Details;
  /** What came of it; null while it is open. Kept for a while for a relay that asks again. */
  outcome: { answer: Answer } | { error: WireError } | null;
}
