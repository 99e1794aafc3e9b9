/** Posts messages and responses to the page's window. */
import { ERROR_NAMES } from '../../protocol/brc100/error-names.ts';
import type { PageError } from '../../protocol/errors/service-error.ts';
import type { PageResults } from '../../protocol/messages/page-messages.ts';
import { CHANNEL, XDM_TYPE } from '../../protocol/messages/wire.ts';

/**
 * A per-document prefix for the IDs that a page assigns to its BRC-100 calls. Without it, a page that numbers its calls
 * from 1 would receive the response to a payment made before a reload.
 */
export const XDM_PREFIX = `cwi:${crypto.getRandomValues(new BigUint64Array(1))[0]!.toString(36)}:`;

export interface Reply {
  id: string;
  result?: unknown;
  error?: unknown;
  isSetUp?: unknown;
}

export function post(message: object): void {
  window.postMessage(message, location.origin);
}

/** Sends a response to the page, using the same protocol as the request. */
export function respond({ id, result, error }: Reply): void {
  if (id.startsWith(XDM_PREFIX)) post(xdmReply(id.slice(XDM_PREFIX.length), result, error as PageError | undefined));
  else post({ channel: CHANNEL, to: 'page', id, ...(error === undefined ? { result } : { error }) });
}

/** Formats a response of the BSV wallet interface, including errors for calls that never reached the wallet. */
function xdmReply(id: string, result: unknown, failed: PageError | undefined): object {
  const reply = { type: XDM_TYPE, id, isInvocation: false };
  if (failed) {
    const { code: reason, message: description, blame } = failed;
    return { ...reply, status: 'error', code: 1, name: ERROR_NAMES[blame], description, reason };
  }
  const answered = result as PageResults['brc100/call'];
  return 'error' in answered
    ? { ...answered.error, ...reply, status: 'error' }
    : { ...reply, status: 'success', result: answered.result };
}
