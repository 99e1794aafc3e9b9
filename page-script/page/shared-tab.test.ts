/** Tests documents that share a tab's session storage: pages in the back/forward cache, and frames of the same site. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createServiceButton } from '../service-button.ts';
import { createPageItems } from './page-items.ts';
import {
  answer,
  fails,
  host,
  load,
  onPayment,
  OPTIONS,
  PAID,
  requestsOf,
  state,
  swipe,
  use,
  usePage,
} from './testing-reloads.ts';

usePage();

async function visit(path: string): Promise<HTMLElement> {
  history.replaceState(null, '', path);
  await load();
  return host;
}

/** Simulates going back to a page that the browser kept in memory with its scripts' state. */
function goBack(path: string, element: HTMLElement): void {
  history.replaceState(null, '', path);
  document.body.replaceChildren(element);
  use(element);
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
}

test('a cached button isn’t offered again if the same page has been loaded and paid again since', async () => {
  const cached = await visit('/article');
  use(document.createElement('div'));
  createServiceButton(window, 'https://pay.example/').render(host, OPTIONS);
  await answer('wallet/hello', { result: { version: '1', network: 'devnet' } });
  await swipe();
  await answer('payment/request', { result: PAID });
  expect([state(), cached.dataset.state]).toEqual(['done', 'ready']);
  goBack('/article', cached);
  expect(state()).toBe('done');
});

describe('after a swipe on a cached page that the visitor went back to', () => {
  let cached: HTMLElement;
  const swipeOnCached = () => {
    goBack('/first-article', cached);
    return swipe();
  };
  beforeEach(async () => {
    cached = await visit('/first-article');
    await visit('/second-article');
    await swipe();
  });

  test('an article paid before on another page stays paid', async () => {
    await answer('payment/request', { result: PAID });
    await swipeOnCached();
    await visit('/second-article');
    expect(state()).toBe('done');
  });

  test('a payment pending on another page is resumed there', async () => {
    await answer('payment/request', fails('payment-pending'));
    const { id } = requestsOf('payment/request')[0]!.params;
    await swipeOnCached();
    await visit('/second-article');
    expect(requestsOf('payment/outcome').map(({ params }) => params.id)).toEqual([id]);
    await answer('payment/outcome', { result: PAID });
    expect([state(), onPayment.mock.calls.length]).toEqual(['done', 1]);
  });
});

describe('the items of two frames', () => {
  const PAYMENT = { outputs: [] };
  const frame = () => {
    const pending = new Promise<never>(() => {});
    return createPageItems(() => sessionStorage, location, {
      pay: () => [`id-${String((count += 1)).padStart(8, '0')}`, pending],
      outcome: () => pending,
    });
  };
  let count = 0;
  const afterReload = (key: string) => frame().claim(key)?.state;

  test('an item stays paid after the other frame has stored an item', () => {
    const [one, other] = [frame(), frame()];
    one.keep(one.pay('article', PAYMENT)[0]);
    other.pay('video', PAYMENT);
    expect([afterReload('article'), afterReload('video')]).toEqual(['paid', 'open']);
  });

  test('an item is recognized as paid if the other frame has stored it since', () => {
    const [one, other] = [frame(), frame()];
    one.keep(one.pay('article', PAYMENT)[0]);
    expect(other.claim('article')?.state).toBe('paid');
  });

  test('a deleted item is not restored when the other frame stores an item', () => {
    const one = frame();
    const [item] = one.pay('article', PAYMENT);
    const other = frame();
    one.forget(item);
    other.pay('video', PAYMENT);
    expect(afterReload('article')).toBeUndefined();
  });

  test('an item deleted during its second request is not stored when that request succeeds', () => {
    const one = frame();
    const [item] = one.pay('article', PAYMENT);
    one.forget(item);
    one.keep(item);
    expect(afterReload('article')).toBeUndefined();
  });

  test('an item is claimed again in the same frame after the page has cleared its storage', () => {
    const one = frame();
    const [item] = one.pay('article', PAYMENT);
    sessionStorage.clear();
    one.release(item);
    expect(one.claim('article')).toBe(item);
  });

  test('paid items are dropped before an older open one if there are too many', () => {
    const [one, other] = [frame(), frame()];
    one.pay('open', PAYMENT);
    for (let n = 0; n < 200; n += 1) {
      const items = n % 2 ? one : other;
      items.keep(items.pay(`paid ${n}`, PAYMENT)[0]);
    }
    expect(['open', 'paid 0', 'paid 1', 'paid 199'].map(afterReload)).toEqual(['open', undefined, 'paid', 'paid']);
  });
});
