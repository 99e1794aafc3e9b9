import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { useService } from '../testing-service.ts';

const SCRIPT = readFileSync(path.join(import.meta.dirname, 'assets/own-address.js'), 'utf8');

describe('a page opened at a different address', () => {
  const { app } = useService({ baseUrl: 'https://pay.example.com' });
  let storage: Map<string, string> | null;
  beforeEach(() => {
    storage = new Map();
  });

  function open(address: string, origin: string): string | null {
    let target: string | null = null;
    const { hostname, pathname, search, hash } = new URL(address);
    const blocked = () => {
      throw new Error('blocked');
    };
    new Function('document', 'location', 'sessionStorage', SCRIPT)(
      { currentScript: { dataset: { origin } } },
      { origin: new URL(address).origin, hostname, pathname, search, hash, replace: (to: string) => (target = to) },
      {
        getItem: (key: string) => (storage ? (storage.get(key) ?? null) : blocked()),
        setItem: (key: string, value: string) => (storage ? storage.set(key, value) : blocked()),
      },
    );
    return target;
  }

  it('contains the service’s own origin, and loads the script', async () => {
    for (const page of ['/', '/sign-in?return=%2Faccount', '/nothing-here']) {
      const { body } = await app.get(page, { Accept: 'text/html' });
      expect(body).toContain('<script src="/assets/own-address.js" data-origin="https://pay.example.com"></script>');
    }
    expect((await app.get('/assets/own-address.js')).body).toBe(SCRIPT);
  });

  it.each([
    ['https://www.pay.example.com/sign-in?return=%2Fa#b', 'https://pay.example.com'],
    ['http://pay.example.com/sign-in?return=%2Fa#b', 'https://pay.example.com'],
    ['http://127.0.0.1:3000/sign-in?return=%2Fa#b', 'https://pay.example.com'],
    ['http://127.0.0.1:3000/sign-in?return=%2Fa#b', 'http://localhost:3000'],
    ['http://[::1]:3000/sign-in?return=%2Fa#b', 'http://localhost:3000'],
  ])('redirects %s to the same path at %s', (address, origin) => {
    expect(open(address, origin)).toBe(`${origin}/sign-in?return=%2Fa#b`);
  });

  it.each([
    ['its own address', 'https://pay.example.com/a', 'https://pay.example.com'],
    ['another machine’s name without BASE_URL', 'http://192.168.1.5:3000/a', 'http://localhost:3000'],
  ])('stays at %s', (_what, address, origin) => expect(open(address, origin)).toBeNull());

  it('doesn’t redirect again after a redirect, or if redirects could loop', () => {
    const [www, own] = ['https://www.pay.example.com/a', 'https://pay.example.com'];
    expect(open(www, own)).not.toBeNull();
    expect(open(www, own)).toBeNull();
    storage = null;
    expect(open(www, own)).toBeNull();
  });
});
