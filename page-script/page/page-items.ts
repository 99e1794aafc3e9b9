/**
 * Stores the payments of a page's buttons in the tab's session storage. After a reload, the outcomes of open payments
 * are queried, and paid payments aren't offered again.
 */
import type { PageResults } from '../../protocol/messages/page-messages.ts';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import type { PaymentError } from '../wallet/payment-error.ts';
import { readLines, writeLines, type LineStorage } from './session-lines.ts';

type Paid = PageResults['payment/request'];

export const ITEMS_KEY = 'service-button/1 payments of pages';
/** Maximum number of payments stored per tab. The oldest are dropped. */
const MAX_ITEMS = 200;

export interface Item {
  /** The payment ID used with the wallet. */
  readonly id: string;
  readonly isPaid: boolean;
}

interface StoredItem extends Item {
  isPaid: boolean;
  /** The page's URL, and the button's request as the item's key. */
  page: string;
  key: string;
  /** True if an earlier swipe has already requested the payment. */
  isAgain?: boolean;
  /** True if the page has been notified since it was loaded. Several buttons can wait for the same outcome. */
  isReported?: boolean;
}

export interface PageItems {
  /**
   * Returns the item of an earlier button on this page with the same request, or null. Items of existing buttons can't
   * be claimed before {@link PageItems.release}.
   */
  claim(key: string): Item | null;
  hold(item: Item): void;
  release(item: Item): void;
  pay(key: string, options: PaymentOptions): [Item, Promise<Paid>];
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

/** Returns the page's URL without its fragment, unless a router uses the fragment. */
const pageOf = ({ href }: Location) => href.replace(/#(?![/!]).*$/, '');

/** @param storage returns the tab's storage; throws if the page has no access to it */
export function createPageItems(storage: () => LineStorage, location: Location, wallet: ItemWallet): PageItems {
  let items = readLines(storage, ITEMS_KEY, /^([\w-]{8,64})\t(paid|open)\t(\S+)\t(.+)$/gm).map(
    ([, id, state, page, key]): StoredItem => ({ id: id!, isPaid: state === 'paid', page: page!, key: key! }),
  );
  const claimed = new Set<Item>();

  function save(): void {
    items = items.slice(-MAX_ITEMS);
    writeLines(
      storage,
      ITEMS_KEY,
      items.map(({ id, isPaid, page, key }) => [id, isPaid ? 'paid' : 'open', page, key].join('\t')),
    );
  }

  function forget(item: Item, error?: Pick<PaymentError, 'moved' | 'final'>): void {
    if (error && (error.moved !== 'no' || ((item as StoredItem).isAgain && !error.final))) return;
    claimed.delete(item);
    items = items.filter((one) => one !== item);
    save();
  }

  return {
    claim(key) {
      const page = pageOf(location);
      const left = items.find((one) => one.key === key && one.page === page && !claimed.has(one));
      if (left) claimed.add(left);
      return left ?? null;
    },
    hold: (item) => void claimed.add(item),
    release: (item) => void claimed.delete(item),
    pay(key, options) {
      const [id, paid] = wallet.pay(options);
      let item = items.find((one) => one.id === id);
      if (item) item.isAgain = true;
      else items.push((item = { id, isPaid: false, page: pageOf(location), key }));
      claimed.add(item);
      save();
      return [item, paid];
    },
    outcome: (item, known) => wallet.outcome(item.id, known),
    report(item) {
      const { isReported } = item as StoredItem;
      (item as StoredItem).isReported = true;
      return !isReported;
    },
    keep(item) {
      (item as StoredItem).isPaid = true;
      save();
    },
    forget,
  };
}
