/** Derives a request's user activation from the page's last user gesture. */
import type { UserActivation } from '../../protocol/messages/page-messages.ts';

/** Lifetime of a user gesture (milliseconds). Longer than a slow swipe, but too short for pages to save gestures. */
const GESTURE_LIFE_MS = 10_000;

export interface UserGesture {
  /** Time on a clock that the page can't change (milliseconds). */
  at: number;
  isUsed: boolean;
}

/** The user activation when a message from the page arrived. */
export interface MessageActivation {
  gesture: UserGesture | null;
  /** True if the browser reports a recent user activation. */
  isActive: boolean | undefined;
}

/**
 * True if another site embeds this page. The embedding site could make the page invisible and place it where users
 * click.
 */
const isEmbedded = () =>
  window !== window.top && [...location.ancestorOrigins].some((origin) => origin !== location.origin);

/**
 * Returns the user activation of a request (see `UserActivation`). `new` requires a gesture that hasn't led to a prompt
 * yet, so one click pays or prompts only once. Pages can't influence the result.
 */
export function userActivationOf(
  method: string,
  params: unknown,
  { isActive, gesture }: MessageActivation,
): UserActivation {
  if (isEmbedded()) return 'embedded';
  if (isActive !== true) return 'none';
  if (!gesture || gesture.isUsed || !usesGesture(method, params)) return 'active';
  gesture.isUsed = true;
  return performance.now() - gesture.at < GESTURE_LIFE_MS ? 'new' : 'active';
}

/** BRC-100 calls that never prompt the user. */
const SILENT_CALLS = ['isAuthenticated', 'getHeight', 'getHeaderForHeight', 'getNetwork', 'getVersion'];

/** True for requests that use up a user gesture, unlike automatic payments and queries. */
function usesGesture(method: string, params: unknown): boolean {
  const { automatic, call } = (params ?? {}) as { automatic?: unknown; call?: unknown };
  if (method === 'brc100/call') return !SILENT_CALLS.includes(call as string);
  if (method === 'payment/request') return automatic !== true;
  return method === 'allowance/ask' || method === 'identity/sign-in' || method === 'asset/mint';
}
