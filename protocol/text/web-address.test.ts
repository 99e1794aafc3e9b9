import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLoopbackHost, isRedirectAddress, isSiteAddress } from './web-address.ts';

/** URLs, URL parts in random order, and arbitrary strings. */
const texts = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc
    .array(
      fc.constantFrom(
        'https',
        'http',
        'javascript',
        ':',
        '/',
        '//',
        '\\',
        '@',
        '#',
        '?',
        '.',
        'localhost',
        '127.0.0.1',
        '[::1]',
        'shop.example',
        ':8080',
        '%2f',
        ' ',
        '\t',
        '\n',
        'code=1',
        '&',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
);

describe('addresses of applications', () => {
  it.each([
    'https://shop.example',
    'https://shop.example/',
    'HTTPS://Shop.Example:8443/cart/?a=1&b=%20',
    "https://shop.example/~a/(b)/*,;=:@!$&'+[1]",
    'https://192.0.2.1/?to=a@b.example',
    'https://[2001:db8::1]/',
    'http://localhost:3000/',
    'http://app.localhost',
    'http://127.0.0.1:8080/?a=//',
    'http://[::1]',
  ])('an address may be %s', (text) => {
    expect([isSiteAddress(text), isRedirectAddress(text)]).toEqual([true, true]);
  });

  it.each([
    '',
    'shop.example',
    '/cart',
    '//shop.example',
    'https:shop.example',
    'https:/shop.example',
    'https:///shop.example',
    // Unencrypted, and not on this machine.
    'http://shop.example',
    'http://127.0.0.1.example',
    'http://localhost.example/',
    'ftp://shop.example',
    'javascript://localhost/%0aalert()',
    // Readers mistake the part before the @ for the host.
    'https://shop.example@evil.example',
    'https://shop.example:443@evil.example/',
    'https://:secret@shop.example',
    'https://@shop.example',
    'https://:@shop.example/',
    'http://localhost@shop.example',
    'http://shop.example@localhost',
    'https://shop.example/#',
    'https://shop.example#top',
    'https://shop.example?a#b',
    'https://shop.example/ cart',
    ' https://shop.example',
    'https://shop.example\n',
    'https://shop.example\\@evil.example',
    'https://bücher.example',
    // Valid characters, but not a valid URL.
    'https://',
    'https://shop.example:99999',
    'https://[::1',
    'https://256.0.0.1',
    'https://a%40b/',
  ])('an address can’t be %j', (text) => {
    expect([isSiteAddress(text), isRedirectAddress(text)]).toEqual([false, false]);
  });

  it('addresses use https or this machine, and lead exactly to their visible host', () => {
    fc.assert(
      fc.property(texts, (text) => {
        if (!isSiteAddress(text)) return;
        const url = new URL(text);
        expect(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))).toBe(true);
        expect([url.username, url.password, url.hash, text.includes('#')]).toEqual(['', '', '', false]);
        // Parsing must not change a valid URL, so its host is where readers expect it.
        expect(
          text.toLowerCase().startsWith(`${url.protocol}//${url.host}`) ||
            /:(?:80|443|0\d*)(?:\/|\?|$)|%|^https?:\/\/[\d.]+/i.test(text),
        ).toBe(true);
        expect(text).toMatch(/^[!-~]+$/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('redirect URLs contain no parameter of the response', () => {
    fc.assert(
      fc.property(texts, (text) => {
        if (!isRedirectAddress(text)) return;
        expect(isSiteAddress(text)).toBe(true);
        for (const name of ['code', 'state', 'iss', 'error']) expect(new URL(text).searchParams.has(name)).toBe(false);
      }),
    );
    for (const query of ['code=1', 'a=1&state=', 'c%6fde=1', 'error_description=x'])
      expect(isRedirectAddress(`https://shop.example/?${query}`), query).toBe(false);
  });

  it('this machine is recognized only by its whole name', () => {
    for (const host of ['localhost', 'app.localhost', '127.0.0.1', '127.255.0.1', '[::1]'])
      expect(isLoopbackHost(host), host).toBe(true);
    for (const host of [
      'localhost.example',
      'xlocalhost',
      '127.0.0.1.example',
      '128.0.0.1',
      'x127.0.0.1',
      '[::2]',
      '10.0.0.1',
      '0.0.0.0',
      '',
    ])
      expect(isLoopbackHost(host), host).toBe(false);
  });
});
