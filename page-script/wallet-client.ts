/** The page's end of the wire to the wallet: posts requests to the page's own window, pairs the replies by their id. */
import type { PageMethod, PageParams, PageRequest, PageResults } from '../protocol/page-messages.ts';
import { paymentError, type PaymentError } from './payment-error.ts';
import { CHANNEL, PRESENT_EVENT } from './wire.ts';

interface Pending {
  message: PageRequest;
  resolve(result: unknown): void;
  reject(error: PaymentError): void;
}

/** 128 random bits in hexadecimal: names a message, or a payment. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of the object itself: whatever the page did to `Object.prototype` is not part of a message. */
function own(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/**
 * Talks to the wallet in the page's own frame. A request waits as long as it takes: the user may be reading.
 * Replies can be forged by the page, which fools nobody but the page itself.
 */
export class WalletClient {
  readonly #window: Window;
  readonly #pending = new Map<string, Pending>();
  readonly #onPresent: () => void;

  /** @param onPresent called whenever a relay says that it is there */
  constructor(window: Window, onPresent: () => void = () => {}) {
    this.#window = window;
    this.#onPresent = onPresent;
    window.addEventListener('message', this.#receive);
  }

  /**
   * Asks the wallet.
   * @throws PaymentError the wallet's own error; a reply that is none of ours never arrives
   */
  request<M extends PageMethod>(method: M, params: PageParams<M>): Promise<PageResults[M]> {
    return new Promise((resolve, reject) => {
      const message: PageRequest<M> = { channel: CHANNEL, to: 'wallet', id: randomId(), method, params };
      this.#pending.set(message.id, { message, resolve: resolve as Pending['resolve'], reject });
      this.#post(message);
    });
  }

  /** Stops listening. What is still waiting is never answered. */
  close(): void {
    this.#window.removeEventListener('message', this.#receive);
  }

  #post(message: PageRequest): void {
    const { origin } = this.#window.location;
    // A sandboxed or local page has the origin 'null', which is no target; the message stays in this window anyhow.
    this.#window.postMessage(message, origin === 'null' ? '*' : origin);
  }

  readonly #receive = (event: MessageEvent): void => {
    if (event.source !== this.#window || event.origin !== this.#window.location.origin) return;
    const data: unknown = event.data;
    if (!isObject(data) || own(data, 'channel') !== CHANNEL || own(data, 'to') !== 'page') return;
    if (own(data, 'event') === PRESENT_EVENT) this.#present();
    else this.#reply(data);
  };

  #present(): void {
    // A new relay has not heard what its predecessor was asked. The same request twice is the same payment.
    for (const { message } of this.#pending.values()) this.#post(message);
    this.#onPresent();
  }

  #reply(data: Record<string, unknown>): void {
    const id = own(data, 'id');
    const pending = typeof id === 'string' ? this.#pending.get(id) : undefined;
    if (!pending) return;
    const result = own(data, 'result');
    const error = own(data, 'error');
    if (isObject(result) === isObject(error) || (result !== undefined && error !== undefined)) return;
    this.#pending.delete(id as string);
    if (isObject(error)) pending.reject(paymentError(own(error, 'code'), own(error, 'message')));
    else pending.resolve(result);
  }
}
