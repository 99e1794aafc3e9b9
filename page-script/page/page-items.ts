/**
 * Remembers the payments of a page's buttons across reloads, for the tab's session. An open one is queried again, and a
 * paid one isn't offered again.
 */
import type { PageResults } from '../../protocol/messages/page-messages.ts';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import type { PaymentError } from '../wallet/payment-error.ts';
import { readLines, writeLines, type LineStorage } from './session-lines.ts';

type Paid = PageResults['payment/request'];

export const ITEMS_KEY = 'service-button/1 payments of pages';
/** The maximum for a tab's session; the oldest are dropped. */
const MAX_ITEMS = 200;

export interface Item {
  /** The payment's, for the wallet. */
  readonly id: string;
  readonly isPaid: boolean;
}

interface StoredItem extends Item {
  isPaid: boolean;
  /** The page's address, and the request of its button. */
  page: string;
  key: string;
  /** Whether an earlier swipe has requested it. */
  isAgain?: boolean;
  /** True if its page was notified in this load, as several may wait for its outcome. */
  isReported?: boolean;
}

export interface PageItems {
  /**
   * The item of an earlier button of this page for the same request, or null. Buttons that still exist keep theirs
   * until {@link PageItems.release}.
   */
  claim(key: string): Item | null;
  hold(item: Item): void;
  release(item: Item): void;
  pay(key: string, options: PaymentOptions): [Item, Promise<Paid>];
  /** Waits for the outcome of a payment. @param known code of the error that its page has. @throws PaymentError */
  outcome(item: Item, known?: string): Promise<Paid>;
  /** Returns true once: the first button that learns of the payment notifies the page. */
  report(item: Item): boolean;
  /** Stores that it is paid. Call it after the page's callbacks, because a reload before that calls them again. */
  keep(item: Item): void;
  /** Drops an unpaid item. An error that isn't final leaves one that was requested before. */
  forget(item: Item, error?: Pick<PaymentError, 'moved' | 'final'>): void;
}

interface ItemWallet {
  pay(options: PaymentOptions): [id: string, paid: Promise<Paid>];
  outcome(id: string, known?: string): Promise<Paid>;
}

/** The address of the page. A fragment is a position in it, unless a router made it. */
const pageOf = ({ href }: Location) => href.replace(/#(?![/!]).*$/, '');

/** @param storage of the tab, which may throw */
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
