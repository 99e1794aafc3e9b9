/** Connects the page to the wallet. Posts requests to the page's own window, and matches replies by ID. */
import type { PageMethod, PageParams, PageRequest, PageResults } from '../../protocol/messages/page-messages.ts';
import { CHANNEL, PRESENT_EVENT } from '../../protocol/messages/wire.ts';
import { paymentError, type PaymentError } from './payment-error.ts';
import { isRecord, ownFields } from '../page/records.ts';

interface Pending {
  message: PageRequest;
  resolve(result: unknown): void;
  reject(error: PaymentError): void;
}

/** Returns 128 random bits in hexadecimal, used as the ID of a message or payment. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Sends a request to the wallet, without a timeout. @throws PaymentError from the wallet */
export type SendRequest = <M extends PageMethod>(method: M, params: PageParams<M>) => Promise<PageResults[M]>;

/**
 * Connects to the wallet in the page's own frame. The page could forge replies, but would only deceive itself.
 * @param onPresent called whenever a relay announces itself
 * @param onHeard called when a relay has received this page's first request
 */
export function createWalletClient(window: Window, onPresent: () => void, onHeard = () => {}): SendRequest {
  const { origin } = window.location;
  const pending = new Map<unknown, Pending>();
  // The origin of a sandboxed or local page is 'null', which isn't a valid target.
  const post = ({ message }: Pick<Pending, 'message'>) => window.postMessage(message, origin === 'null' ? '*' : origin);

  window.addEventListener('message', (received) => {
    const { channel, to, event, id, result, error, beside } = ownFields(received.data);
    if (received.source !== window || received.origin !== origin || channel !== CHANNEL) return;
    if (to === 'wallets' && beside !== undefined) return onHeard();
    if (to !== 'page') return;
    if (event === PRESENT_EVENT) {
      // Sends pending requests to the new relay, which hasn't received them. A repeated request doesn't pay again.
      pending.forEach(post);
      return onPresent();
    }
    const request = pending.get(id);
    const refused = isRecord(error);
    if (!request || (refused ? result : error) !== undefined || refused === isRecord(result)) return;
    pending.delete(id);
    if (!refused) return request.resolve(result);
    request.reject(paymentError(error));
  });

  return (method, params) =>
    new Promise((resolve, reject) => {
      const message: PageRequest<typeof method> = { channel: CHANNEL, to: 'wallet', id: randomId(), method, params };
      pending.set(message.id, { message, resolve: resolve as Pending['resolve'], reject });
      post({ message });
    });
}
