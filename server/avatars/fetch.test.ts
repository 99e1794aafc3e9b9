import { Readable } from 'node:stream';
import { beforeEach, expect, test, vi } from 'vitest';
import { CAPABILITIES } from '../../protocol/http/paymail.ts';
import { testJpeg, testPng } from '../../protocol/http/testing-picture.ts';
import * as pinned from '../outbound-requests/pinned-request.ts';
import { fetchPicture, namedPicture } from './fetch.ts';

vi.mock('../outbound-requests/pinned-request.ts', async (original) => ({
  ...(await original<typeof pinned>()),
  publicAddressesOf: vi.fn(),
  requestPinned: vi.fn(),
}));

const PNG = testPng(32, 32, [1, 2, 3]);
const PLACE = 'https://pictures.example/a';

interface FakeResponse {
  status?: number;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
}
let internet: Record<string, FakeResponse> = {};
/** IP addresses by host name. Names that aren't listed resolve to a public address. */
let addresses: Record<string, string> = {};
let asked: string[] = [];

beforeEach(() => {
  [internet, addresses, asked] = [{}, {}, []];
  vi.mocked(pinned.publicAddressesOf).mockImplementation(async ({ hostname }) => [
    { address: addresses[hostname] ?? '1.1.1.1', family: 4 },
  ]);
  vi.mocked(pinned.requestPinned).mockImplementation(async (url) => {
    asked.push(url.href);
    const { status = 200, headers = {}, body = '' } = internet[url.href] ?? { status: 404 };
    return Object.assign(Readable.from([Buffer.from(body)]), { statusCode: status, headers }) as never;
  });
});

const picture = (body: Uint8Array = PNG, type = 'image/png'): FakeResponse => ({
  headers: { 'content-type': type },
  body,
});
const redirect = (location: string): FakeResponse => ({ status: 302, headers: { location } });
const fetched = (url = PLACE) => fetchPicture(url, 'mainnet', AbortSignal.timeout(5_000));

test('a picture is returned unchanged, with the type detected from its bytes', async () => {
  internet[PLACE] = picture(PNG, 'image/webp; q=1');
  expect(await fetched()).toEqual({ type: 'image/png', image: PNG });
});

test.each([
  ['no picture', picture(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
  ['of a type that is none', picture(PNG, 'image/svg+xml')],
  ['of a type for anything', picture(PNG, 'application/octet-stream')],
  ['of no type', { body: PNG }],
  ['too many pixels', picture(testJpeg(20_000, 20_000), 'image/jpeg')],
  ['too many bytes', picture(Buffer.concat([PNG, Buffer.alloc(200_000)]))],
  ['an error’s', { ...picture(), status: 500 }],
])('a picture must be a valid image: not %s', async (_why, answer) => {
  internet[PLACE] = answer;
  expect(await fetched()).toBeNull();
  expect(asked).toEqual([PLACE]);
});

test('a response that declares an excessive length is not read', async () => {
  const read = vi.fn();
  vi.mocked(pinned.requestPinned).mockResolvedValue(
    Object.assign(new Readable({ read }), {
      statusCode: 200,
      headers: { 'content-type': 'image/png', 'content-length': '200001' },
    }) as never,
  );
  expect(await fetched()).toBeNull();
  expect(read).not.toHaveBeenCalled();
});

test.each([
  ['not by https', 'http://pictures.example/a'],
  ['of this machine', 'https://127.0.0.1/a'],
  ['of a private network', 'https://inside.example/a'],
  ['with a password', 'https://me:secret@pictures.example/a'],
  ['of another kind', 'data:image/png;base64,AAAA'],
])('no request goes %s, neither initially nor by a redirect', async (_where, url) => {
  addresses = { '127.0.0.1': '127.0.0.1', 'inside.example': '10.0.0.7' };
  await expect(fetched(url)).rejects.toThrow();
  internet[PLACE] = redirect(url);
  await expect(fetched()).rejects.toThrow();
  expect(asked).toEqual([PLACE]);
});

test('the service follows at most two redirects', async () => {
  internet[PLACE] = redirect('/b');
  internet['https://pictures.example/b'] = redirect('https://other.example/c');
  internet['https://other.example/c'] = picture();
  expect((await fetched())?.image).toEqual(PNG);
  internet['https://other.example/c'] = redirect('/d');
  internet['https://other.example/d'] = picture();
  expect(await fetched()).toBeNull();
  expect(asked.at(-1)).toBe('https://other.example/c');
});

test('the paymail’s host provides the picture’s URL', async () => {
  const rules = { network: 'mainnet', resolveSrv: async () => [] } as const;
  const named = () => namedPicture({ alias: 'bob', domain: 'b.example' }, rules, AbortSignal.timeout(5_000));
  const capabilities = { [CAPABILITIES.publicProfile]: 'https://b.example/p/{alias}@{domain.tld}' };
  internet['https://b.example/.well-known/bsvalias'] = { body: JSON.stringify({ bsvalias: '1.0', capabilities }) };
  internet['https://b.example/p/bob@b.example'] = { body: JSON.stringify({ name: 'Bob', avatar: PLACE }) };
  expect(await named()).toBe(PLACE);
  internet['https://b.example/p/bob@b.example'] = { body: JSON.stringify({ name: 'Bob' }) };
  expect(await named()).toBeNull();
});
