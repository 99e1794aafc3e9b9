/**
 * Stores the payments of a page's buttons across reloads, for the tab's session. After a reload, open payments are
 * queried again, and paid payments aren't offered again.
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
  /** The page's URL, and the request of the button. */
  page: string;
  key: string;
  /** True if an earlier swipe has already requested the payment. */
  isAgain?: boolean;
  /** True if the page was notified since it was loaded. Several buttons can wait for the same outcome. */
  isReported?: boolean;
}

export interface PageItems {
  /**
   * Returns the item of an earlier button of this page for the same request, or null. Existing buttons keep their items
   * until {@link PageItems.release}.
   */
  claim(key: string): Item | null;
  hold(item: Item): void;
  release(item: Item): void;
  pay(key: string, options: PaymentOptions): [Item, Promise<Paid>];
  /** Waits for the outcome of a payment. @param known the error code that the page already has @throws PaymentError */
  outcome(item: Item, known?: string): Promise<Paid>;
  /** Returns true for the first call, so that only one button notifies the page. */
  report(item: Item): boolean;
  /** Stores that the item is paid. Must follow the page's callbacks, so that a reload during them calls them again. */
  keep(item: Item): void;
  /** Drops an unpaid item. After a temporary error, an item that was requested before remains. */
  forget(item: Item, error?: Pick<PaymentError, 'moved' | 'final'>): void;
}

interface ItemWallet {
  pay(options: PaymentOptions): [id: string, paid: Promise<Paid>];
  outcome(id: string, known?: string): Promise<Paid>;
}

/** Returns the page's URL without its fragment, unless a router uses the fragment. */
const pageOf = ({ href }: Location) => href.replace(/#(?![/!]).*$/, '');

/** @param storage of the tab; throws if the page has no access to it */
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
