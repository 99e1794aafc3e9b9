import { beforeEach, describe, expect, test } from 'vitest';
import { clientOrigin, notePage, openForPage, returnToClient } from './onboarding-tab.ts';
import { useWallet, wallet } from '../testkit/wallet/current.ts';
import { testPlatform } from '../testkit/wallet/platform.ts';

const ONBOARDING = 'chrome-extension://id/extension/onboarding/index.html';
interface Tab {
  id: number;
  windowId: number;
  url: string;
}
const state = {
  tabs: new Map<number, { id: number; windowId: number; url: string }>(),
  session: new Map<string, unknown>(),
  front: [] as unknown[],
  created: 0,
};
useWallet(
  testPlatform({
    runtime: { getURL: (path: string) => `chrome-extension://id/${path}` },
    storage: {
      session: {
        get: async (key: string) => ({ [key]: state.session.get(key) }),
        set: async (values: object) => {
          for (const [key, value] of Object.entries(values)) state.session.set(key, structuredClone(value));
        },
      },
    },
    tabs: {
      query: async () => [...state.tabs.values()],
      create: async ({ url }: { url: string }) => {
        state.created += 1;
        state.tabs.set(900 + state.created, { id: 900 + state.created, windowId: 1, url });
      },
      get: async (id: number) => {
        const tab = state.tabs.get(id);
        if (!tab) throw new Error('no such tab');
        return tab;
      },
      update: async (id: number) => void state.front.push(id),
    },
    windows: { update: async (id: number) => void state.front.push(`window ${id}`) },
  }),
);

function page(id: number, url: string, lastAccessed?: number): { id: string; frameId: number; tab: never } {
  const tab: Tab = { id, windowId: 10 + id, url };
  state.tabs.set(id, tab);
  return { id: 'id', frameId: 0, tab: { ...tab, lastAccessed } as never };
}
beforeEach(() => {
  state.tabs.clear();
  state.session.clear();
  state.front.length = 0;
  state.created = 0;
});

test('several pages share one tab, even if they request it concurrently, and the tab returns to the last page', async () => {
  await Promise.all([
    openForPage(wallet, page(1, 'https://one.example/a')),
    openForPage(wallet, page(2, 'https://two.example/b?c#d')),
    openForPage(wallet, page(3, 'https://three.example/')),
  ]);
  expect([...state.tabs.values()].filter(({ url }) => url === ONBOARDING)).toHaveLength(1);
  expect(await clientOrigin(wallet)).toBe('https://three.example');
  state.front.length = 0;
  await returnToClient(wallet);
  expect(state.front).toEqual([3, 'window 13']);
  expect(await clientOrigin(wallet)).toBeNull();
});

test('an existing tab is brought to the front', async () => {
  page(7, `${ONBOARDING}#x`);
  await openForPage(wallet, page(1, 'https://one.example/'));
  expect([state.created, state.front]).toEqual([0, [7, 'window 17']]);
});

test('a page that navigated away or was closed in the meantime gets no response', async () => {
  await openForPage(wallet, page(1, 'https://one.example/'));
  page(1, 'https://other.example/');
  expect(await clientOrigin(wallet)).toBeNull();
  await returnToClient(wallet);
  await openForPage(wallet, page(2, 'https://two.example/'));
  state.tabs.delete(2);
  state.front.length = 0;
  expect(await clientOrigin(wallet)).toBeNull();
  await returnToClient(wallet);
  expect(state.front).toEqual([]);
});

describe('pages that were open at the time of installation', () => {
  const SERVICE = 'https://service.example';
  const note = (...pages: ReturnType<typeof page>[]) => Promise.all(pages.map((one) => notePage(wallet, one, SERVICE)));

  test.each([['in this order'], ['in the other order']])(
    'the tab returns to the page visited last, rather than the download page: %s',
    async (order) => {
      const pages = [
        page(1, 'https://shop.example/roses', 3_000),
        page(2, 'https://news.example/', 2_000),
        page(3, `${SERVICE}/#wallet`, 4_000),
      ];
      await note(...(order === 'in this order' ? pages : pages.toReversed()));
      expect([state.created, state.front], 'a page that only looks opens nothing').toEqual([0, []]);
      expect(await clientOrigin(wallet)).toBe('https://shop.example');
      await returnToClient(wallet);
      expect(state.front).toEqual([1, 'window 11']);
    },
  );

  test('the tab returns to the service’s page if there is no other', async () => {
    await note(page(3, `${SERVICE}/sign-in`, 4_000));
    expect(await clientOrigin(wallet)).toBe(SERVICE);
  });

  test('a page on which the user requested the wallet has priority', async () => {
    await openForPage(wallet, page(1, 'https://shop.example/', 1_000));
    await note(page(2, 'https://news.example/', 2_000));
    expect(await clientOrigin(wallet)).toBe('https://shop.example');
  });

  test('a closed page is replaced by one visited earlier, and a frame is never used', async () => {
    await note(page(1, 'https://closed.example/', 3_000));
    state.tabs.delete(1);
    await note(page(2, 'https://shop.example/', 2_000));
    await note({ ...page(3, 'https://frames.example/', 5_000), frameId: 7 });
    expect(await clientOrigin(wallet)).toBe('https://shop.example');
  });
});

test('one site cannot open the tab repeatedly, regardless of clicks, and another site still can', async () => {
  const pressing = page(1, 'https://pressing.example/');
  for (let i = 0; i < 10; i += 1) {
    await openForPage(wallet, pressing, 1_000 + i);
    for (const { id, url } of [...state.tabs.values()]) if (url === ONBOARDING) state.tabs.delete(id);
  }
  expect(state.created).toBe(3);
  await openForPage(wallet, page(2, 'https://other.example/'), 2_000);
  expect(state.created).toBe(4);
  for (const { id, url } of [...state.tabs.values()]) if (url === ONBOARDING) state.tabs.delete(id);
  await openForPage(wallet, pressing, 1_000_000);
  expect(state.created).toBe(5);
});

test('a clock that was set back doesn’t block any site until its old time', async () => {
  const site = page(1, 'https://one.example/');
  const YEAR = 365 * 24 * 3600_000;
  for (let i = 0; i < 4; i += 1) await openForPage(wallet, site, YEAR + i);
  for (const { id, url } of [...state.tabs.values()]) if (url === ONBOARDING) state.tabs.delete(id);
  await openForPage(wallet, site, 1_000);
  expect(state.created).toBe(2);
});

test('a sender without a tab, or without a browser-verified address, opens nothing', async () => {
  await openForPage(wallet, undefined);
  await openForPage(wallet, { id: 'id' });
  await openForPage(wallet, { id: 'id', tab: { id: 4 } as never });
  expect(state.created).toBe(0);
});
