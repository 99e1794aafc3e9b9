/**
 * Defines `window.CWI` (BRC-100) in the page's own world. Posts calls to this window as messages (XDM). The relay
 * responds. Runs in every page, so it must stay small.
 */
import { BRC100_METHODS, XDM_TYPE } from '../../protocol/messages/wire.ts';

// Skipped if another wallet has already set `CWI`, and for opaque origins, which don't get a relay (relay.iife.ts).
if (!('CWI' in window) && window.origin !== 'null') {
  const waiting = new Map<unknown, (answer: Record<string, unknown>) => void>();
  const invoke = (call: string, args: unknown) =>
    new Promise((resolve, reject) => {
      const id = crypto.randomUUID();
      postMessage({ type: XDM_TYPE, isInvocation: true, id, call, args });
      waiting.set(id, ({ type: _, id: __, isInvocation: ___, status, result, description, ...more }) => {
        waiting.delete(id);
        if (status === 'error') reject(Object.assign(new Error(description as string), more, { isError: true }));
        else resolve(result);
      });
    });
  addEventListener('message', ({ source, data }) => {
    if (source === window && data?.type === XDM_TYPE && !data.isInvocation) waiting.get(data.id)?.(data);
  });
  Object.assign(window, {
    CWI: Object.fromEntries(BRC100_METHODS.map((call) => [call, (args = {}) => invoke(call, args)])),
  });
}
