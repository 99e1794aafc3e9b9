/**
 * What the buttons of a page pay for, across reloads: a payment whose outcome is open is asked about again, and what was
 * paid isn't offered again. It lasts as long as the tab's session, and knows only what this page has asked for.
 */
import type { PaymentOptions } from '../protocol/payment.ts';
import type { AttemptStorage } from './payment-attempts.ts';
import type { PaymentError } from './payment-error.ts';
import type { Paid } from './wallet.ts';

/** Name of the session storage entry. */
export const ITEMS_KEY = 'service-button/1 payments of pages';
/** A tab's session keeps no more; the oldest go first. */
const MAX_ITEMS = 200;

/** What one button pays for. */
export interface Item {
  /** The payment's, for the wallet. */
  readonly id: string;
  /** True if it is paid, and its page knows. */
  readonly isPaid: boolean;
}

interface StoredItem extends Item {
  isPaid: boolean;
  /** The page's address, and what its button asks for. */
  page: string;
  key: string;
  /** Whether an earlier swipe has asked for it. */
  isAgain?: boolean;
  /** Whether its outcome has been passed on in this load of the page: several may wait for it. */
  isReported?: boolean;
}

/** See the file's head. */
export interface PageItems {
  /**
   * What an earlier button of this page has left that asked for the same; null if nothing. Another button gets it only
   * after {@link PageItems.release}.
   */
  claim(key: string): Item | null;
  /** Leaves it to the next button. */
  release(item: Item): void;
  /** Pays what a button asks for. @returns the item, and its outcome, which comes once however many wait for it */
  pay(key: string, options: PaymentOptions): [Item, Promise<Paid>];
  /** Waits for the outcome of a payment. @param known code of the error that its page has. @throws PaymentError */
  outcome(item: Item, known?: string): Promise<Paid>;
  /** Stores that it is paid. To be called after the page's callbacks: a reload before that calls them again. */
  keep(item: Item): void;
  /** It may be offered again: it was not paid. An error that isn't final says nothing of an earlier request for it. */
  forget(item: Item, error?: Pick<PaymentError, 'moved' | 'final'>): void;
}

/** How the wallet is asked. */
interface ItemWallet {
  pay(options: PaymentOptions): [id: string, paid: Promise<Paid>];
  outcome(id: string, known?: string): Promise<Paid>;
}

/** The page that a document shows: its fragment is a place in it, unless a router made it. */
const pageOf = ({ href }: Location) => href.replace(/#(?![/!]).*$/, '');

/** @param storage of the tab; it may throw where the page may not use any */
export function createPageItems(storage: () => AttemptStorage, location: Location, wallet: ItemWallet): PageItems {
  let items = load(storage);
  const claimed = new Set<Item>();

  function save(): void {
    items = items.slice(-MAX_ITEMS);
    try {
      if (items[0])
        storage().setItem(
          ITEMS_KEY,
          items.map(({ id, isPaid, page, key }) => [id, isPaid ? 'paid' : 'open', page, key].join('\t')).join('\n'),
        );
      else storage().removeItem(ITEMS_KEY);
    } catch {
      // Storage full or forbidden: they then last as long as the page.
    }
  }

  function forget(item: Item, error?: Pick<PaymentError, 'moved' | 'final'>): void {
    if (error && (error.moved !== 'no' || ((item as StoredItem).isAgain && !error.final))) return;
    claimed.delete(item);
    items = items.filter((one) => one !== item);
    save();
  }

  /** The first who learns of it passes it on. */
  async function once(item: Item, asked: Promise<Paid>): Promise<Paid> {
    const paid = await asked;
    const stored = item as StoredItem;
    if (stored.isReported) return new Promise(() => {});
    stored.isReported = true;
    return paid;
  }

  return {
    claim(key) {
      const page = pageOf(location);
      const left = items.find((one) => one.key === key && one.page === page && !claimed.has(one));
      if (left) claimed.add(left);
      return left ?? null;
    },
    release: (item) => void claimed.delete(item),
    pay(key, options) {
      const [id, paid] = wallet.pay(options);
      let item = items.find((one) => one.id === id);
      if (item) item.isAgain = true;
      else items.push((item = { id, isPaid: false, page: pageOf(location), key }));
      claimed.add(item);
      save();
      return [item, once(item, paid)];
    },
    outcome: (item, known) => once(item, wallet.outcome(item.id, known)),
    keep(item) {
      (item as StoredItem).isPaid = true;
      save();
    },
    forget,
  };
}

/** What earlier pages of the tab left, as far as it can be read: a page may have written anything there. */
function load(storage: () => AttemptStorage): StoredItem[] {
  try {
    return [
      ...storage()
        .getItem(ITEMS_KEY)!
        .matchAll(/^([\w-]{8,64})\t(paid|open)\t(\S+)\t(.+)$/gm),
    ].map(([, id, state, page, key]) => ({ id: id!, isPaid: state === 'paid', page: page!, key: key! }));
  } catch {
    return []; // Nothing of ours, or no storage.
  }
}
