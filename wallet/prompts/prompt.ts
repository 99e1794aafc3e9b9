import type { WireError } from '../../protocol/errors/service-error.ts';

/** A prompt's window: an unguessable ID, the browser's ID, and when its contents were first shown. */
export interface PromptWindow {
  id: string;
  windowId: number | null;
  shownAt: number | null;
}

/**
 * `withheld`: might be answered without a window, so it doesn't count toward the window limit. `preparing`: its
 * contents are being computed. `awaitingDecision`: its window is open or about to open.
 */
export type PromptState = 'withheld' | 'preparing' | 'awaitingDecision';

/** A stored prompt. Times are milliseconds since 1970. */
export interface Prompt<Details = unknown, Answer = unknown> {
  kind: string;
  origin: string;
  /**
   * Repeated requests have the same value: the page's ID for its message, or a name derived from the request's ID or
   * the details.
   */
  message: string;
  createdAt: number;
  /** When it got its outcome. Missing while it is open, and in prompts that ended before this field was introduced. */
  endedAt?: number;
  state: PromptState;
  window: PromptWindow;
  /** Data stored by the prompt's kind. */
  details: Details;
  /** Null while the prompt is open. An outcome is retained for several minutes, in case a relay repeats the request. */
  outcome: { answer: Answer } | { error: WireError } | null;
}
