import { beforeEach, expect, test, vi } from 'vitest';
import { publicAddressesOf } from './pinned-request.ts';

/** What the name servers answer; nothing at all where a name's answer is null. */
const names: Record<string, readonly string[] | null> = {};
const { cancelled, systemAsked } = vi.hoisted(() => ({ cancelled: vi.fn(), systemAsked: vi.fn() }));
vi.mock('node:dns', async (original) => ({ ...(await original<object>()), lookup: systemAsked }));
vi.mock('node:dns/promises', () => ({
  Resolver: class {
    #refuse: (() => void)[] = [];
    resolve4 = (name: string) => this.#answer(name, '.');
    resolve6 = (name: string) => this.#answer(name, ':');
    cancel(): void {
      cancelled();
      for (const refuse of this.#refuse) refuse();
    }
    #answer(name: string, separator: string): Promise<string[]> {
      const all = names[name];
      if (all === null)
        return new Promise((_found, failed) => this.#refuse.push(() => failed(new Error('ECANCELLED'))));
      const found = (all ?? []).filter((address) => address.includes(separator));
      return found.length > 0 ? Promise.resolve(found) : Promise.reject(new Error('ENODATA'));
    }
  },
}));

beforeEach(() => {
  cancelled.mockClear();
});
const ask = (host: string, signal = new AbortController().signal) =>
  publicAddressesOf(new URL(`https://${host}`), signal);

test('a host that a stranger names is looked up at the name servers, for IPv4 and IPv6, and never by the system’s resolver with its few shared threads', async () => {
  names['a.example'] = ['1.1.1.1', '2606:4700::1'];
  names['six.example'] = ['2606:4700::1'];
  expect(await ask('a.example')).toEqual([
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ]);
  expect(await ask('six.example')).toEqual([{ address: '2606:4700::1', family: 6 }]);
  expect([await ask('1.2.3.4'), await ask('[::ffff:127.0.0.1]')]).toEqual([
    [{ address: '1.2.3.4', family: 4 }],
    [{ address: '::ffff:7f00:1', family: 6 }],
  ]);
  await expect(ask('nobody.example')).rejects.toThrow('ENODATA');
  expect(systemAsked).not.toHaveBeenCalled();
});

test('name servers that do not answer in time are given up', async () => {
  names['silent.example'] = null;
  const stop = new AbortController();
  const asked = ask('silent.example', stop.signal);
  stop.abort(new Error('time-out'));
  await expect(asked).rejects.toThrow('time-out');
  expect(cancelled).toHaveBeenCalledOnce();
});
