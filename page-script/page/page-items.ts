/**
 * Stores the payments of a page's buttons in the tab's session storage. After a reload, the outcomes of open payments
 * are queried, and paid payments aren't offered again.
 */
import type { PageResults } from '../../protocol/messages/page-messages.ts';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import type { PaymentError } from '../wallet/payment-error.ts';
import { createSessionLines, ITEMS_KEY, type LineStorage } from './session-lines.ts';

type Paid = PageResults['payment/request'];

/** Maximum number of payments stored per tab. The oldest paid ones are dropped first. */
const MAX_ITEMS = 200;

export interface Item {
  /** The payment ID used with the wallet. */
  readonly id: string;
  readonly state: 'paid' | 'open';
}

interface StoredItem extends Item {
  state: Item['state'];
  /** The page's URL and the button's request. */
  readonly key: string;
  /** True if an earlier swipe has already requested the payment. */
  isAgain?: boolean;
  /** True if the page has been notified since it was loaded. Several buttons can wait for the same outcome. */
  isReported?: boolean;
}

export interface PageItems {
  /**
   * Returns the item of an earlier button on this page with the same request, or undefined. Items of existing buttons
   * can't be claimed before {@link PageItems.release}.
   */
  claim(request: string): Item | undefined;
  hold(item: Item): void;
  release(item: Item): void;
  pay(request: string, options: PaymentOptions): [Item, Promise<Paid>];
  /** Waits for the outcome of a payment. @param known the error code that the page already has @throws PaymentError */
  outcome(item: Item, known?: string): Promise<Paid>;
  /** Returns true only for the first call, so only one button notifies the page. */
  report(item: Item): boolean;
  /**
   * Marks the item as paid in storage. Must be called after the page's callbacks. If a reload interrupts the callbacks,
   * they are called again.
   */
  keep(item: Item): void;
  /** Deletes an unpaid item. After a temporary error, keeps an item that had been requested before. */
  forget(item: Item, error?: Pick<PaymentError, 'moved' | 'final'>): void;
}

interface ItemWallet {
  pay(options: PaymentOptions): [id: string, paid: Promise<Paid>];
  outcome(id: string, known?: string): Promise<Paid>;
}

/** Returns the key of a request on this page: the page's URL without its fragment, unless a router uses the fragment. */
const keyOn = ({ href }: Location, request: string) => `${href.replace(/#(?![/!]).*$/, '')}\t${request}`;

/** @param storage returns the tab's storage; throws if the page has no access to it */
export function createPageItems(storage: () => LineStorage, location: Location, wallet: ItemWallet): PageItems {
  const items = createSessionLines<StoredItem>(
    storage,
    ITEMS_KEY,
    /^([\w-]{8,64})\t(paid|open)\t(\S+\t[^\n]+)$/gm,
    '\t',
  );
  const claimed = new Set<Item>();

  return {
    claim(request) {
      const key = keyOn(location, request);
      const left = items.read().find((one) => one.key === key && !claimed.has(one));
      if (left) {
        claimed.add(left);
        items.write(left.id, left);
      }
      return left;
    },
    hold: (item) => void claimed.add(item),
    release: (item) => void claimed.delete(item),
    pay(request, options) {
      const [id, paid] = wallet.pay(options);
      const stored = items.read();
      let item = stored.find((one) => one.id === id);
      if (item) item.isAgain = true;
      else {
        item = { id, state: 'open', key: keyOn(location, request) };
        if (stored[MAX_ITEMS - 1]) items.write((stored.find(({ state }) => state === 'paid') ?? stored[0]!).id);
      }
      claimed.add(item);
      items.write(id, item);
      return [item, paid];
    },
    outcome: (item, known) => wallet.outcome(item.id, known),
    report(item) {
      const { isReported } = item as StoredItem;
      (item as StoredItem).isReported = true;
      return !isReported;
    },
    keep(item) {
      // The page may already have allowed another payment.
      if (!items.read().includes(item as StoredItem)) return;
      (item as StoredItem).state = 'paid';
      items.write(item.id, item as StoredItem);
    },
    forget(item, error) {
      if (error && (error.moved !== 'no' || ((item as StoredItem).isAgain && !error.final))) return;
      claimed.delete(item);
      items.write(item.id);
    },
  };
}
