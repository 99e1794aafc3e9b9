import { describe, expect, it } from 'vitest';
import { assertChecked } from '../http/problems.ts';
import { checkChanges, checkNewApplication } from './details.ts';

const MINIMAL = { name: 'A Shop', url: 'https://shop.example' };
const check = (details: Record<string, unknown>, webhooksAllowPrivate = true) =>
  checkNewApplication({ ...MINIMAL, ...details }, { webhooksAllowPrivate });

describe('an application’s details', () => {
  it.each([
    'https://shop.example/back',
    'https://shop.example',
    'https://shop.example:8443/a/b?c=d&e=%20f',
    'http://localhost:4000/back',
    'http://127.0.0.1/back',
    'http://[::1]:8080/',
    'http://app.localhost/',
    'https://10.0.0.1/back',
    'https://xn--bcher-kva.example/',
  ])('accept the redirect URL %s, and store it unchanged', (redirectUri) => {
    expect(check({ redirectUri })).toMatchObject({ problems: null, value: { redirectUri } });
  });

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'ftp://shop.example/',
    'shop.example/back',
    '/back',
    '//shop.example/back',
    'https:shop.example',
    'https:/shop.example',
    'https:\\\\shop.example',
    'https://shop.example\\@evil.example/',
    'https://',
    'https:///back',
    'http://shop.example/back',
    'http://localhost.evil.example/',
    'http://127.0.0.1.evil.example/',
    'https://user@shop.example/',
    'https://user:pw@shop.example/',
    'https://shop.example/#',
    'https://shop.example/#part',
    ' https://shop.example/',
    'https://shop.example/ ',
    'https://shop.example/\n',
    'https://sh\top.example/',
    'https://shop.example/\r\nSet-Cookie:x',
    'https://shop.example/"><script>',
    'https://büch.example/',
    'https://shop.example/?code=1',
    'https://shop.example/?a=b&state=1',
    'https://shop.example/?error=',
    'https://shop.example/?iss=x',
    `https://shop.example/${'x'.repeat(500)}`,
  ])('reject the redirect URL %j', (redirectUri) => {
    expect(Object.keys(check({ redirectUri }).problems ?? {})).toEqual(['redirectUri']);
  });

  it.each([
    'javascript:alert(1)',
    'http://shop.example',
    'https://user@shop.example',
    'https://shop.example#x',
    '',
    'shop.example',
    5,
    null,
  ])('reject the site %j', (url) => {
    expect(Object.keys(check({ url }).problems ?? {})).toEqual(['url']);
  });

  describe('name, site and redirect URL', () => {
    const own = { baseUrl: 'https://pay.acme.co.uk', paymailDomain: 'money.example' };
    const problems = (details: Record<string, unknown>) =>
      Object.keys(checkNewApplication({ ...MINIMAL, ...details }, { webhooksAllowPrivate: true, own }).problems ?? {});

    it.each([
      'Service Button',
      'Service Button (official)',
      'SERVICE-BUTTON',
      'Sеrviсe Buttоn',
      'Ｓｅｒｖｉｃｅ Ｂｕｔｔｏｎ',
      'S3rv1ce Butt0n',
      'Servíce  Bütton',
      '𝐒ervice Button',
      'My Service Button Wallet',
      'pay.acme.co.uk',
      'Acme',
      'ACME Payments',
      'Аcme',
      'money.example',
      '✓ verified shop',
      'ⓥerified shop',
      'Shop ✔',
      'Shop ✅',
      'Shop (Verified)',
      'Official Shop',
      'Geprüft Laden',
      '公式ショップ',
      'Pаyments',
    ])('may not imitate those of the service: %s', (name) => {
      expect(problems({ name })).toEqual(['name']);
      expect(Object.keys(checkChanges({ name }, { webhooksAllowPrivate: true, own }).problems ?? {})).toEqual(['name']);
    });

    it.each([
      'Button Café',
      'Customer Service',
      'Acmeology',
      'Кофейня',
      '東京カフェ',
      'Σοφία',
      'مقهى',
      'Shop 24/7',
      'Unofficial? Never',
      'R&D',
    ])('may be anything else: %s', (name) => expect(problems({ name })).toEqual([]));

    it('may not be at the service’s own origin', () => {
      const redirectUri = 'https://pay.acme.co.uk/cb';
      expect(problems({ redirectUri })).toEqual(['redirectUri']);
      expect(problems({ redirectUri: 'https://PAY.acme.co.uk:443/cb' })).toEqual(['redirectUri']);
      expect(problems({ url: 'https://pay.acme.co.uk' })).toEqual(['url']);
      expect(problems({ redirectUri: 'https://shop.acme.co.uk/cb', url: 'https://pay.acme.co.uk:8443' })).toEqual([]);
    });
  });

  it('require a public https URL for webhooks, unless the operator allows private addresses', () => {
    for (const webhookUrl of [
      'http://localhost:4000/hook',
      'http://127.0.0.1/hook',
      'https://localhost/hook',
      'https://10.0.0.1/hook',
      'https://[fd00::1]/',
      'https://hooks.internal/',
      'https://0x7f.1/',
    ]) {
      expect(check({ webhookUrl }, true).problems, webhookUrl).toBeNull();
      expect(Object.keys(check({ webhookUrl }, false).problems ?? {}), webhookUrl).toEqual(['webhookUrl']);
      expect(
        Object.keys(checkChanges({ webhookUrl }, { webhooksAllowPrivate: false }).problems ?? {}),
        webhookUrl,
      ).toEqual(['webhookUrl']);
    }
    expect(check({ webhookUrl: 'https://shop.example/hook?code=1' }, false).problems).toBeNull();
    for (const webhookUrl of ['http://shop.example/hook', 'http://10.0.0.1/hook', 'gopher://shop.example/']) {
      expect(Object.keys(check({ webhookUrl }, true).problems ?? {}), webhookUrl).toEqual(['webhookUrl']);
    }
  });

  it.each([
    '',
    '   ',
    '\u200b',
    '\u2800',
    'Two\nlines',
    'turned\u202earound',
    'nul\0',
    'half \ud800',
    'x'.repeat(61),
    5,
    null,
    undefined,
  ])('reject the name %j', (name) => {
    expect(Object.keys(check({ name }).problems ?? {})).toEqual(['name']);
  });

  it('trim the name and store the rest unchanged', () => {
    expect(check({ name: ' <b>Bücher & more</b> 📚 ' })).toMatchObject({ value: { name: '<b>Bücher & more</b> 📚' } });
  });

  it('accept a description of several lines of visible text', () => {
    expect(check({ description: 'One\r\ntwo\n\nfour' }).problems).toBeNull();
    for (const description of ['\0', '\u202e', 'a\u2028b', 'x'.repeat(501), 5])
      expect(Object.keys(check({ description }).problems ?? {})).toEqual(['description']);
  });

  it('accept any webhook secret in the body, or none', () => {
    expect(check({}).value?.webhookBodySecret).toBeNull();
    expect(check({ webhookBodySecret: 'x' }).value).toMatchObject({ webhookBodySecret: 'x' });
    expect(checkChanges({ webhookBodySecret: null }, { webhooksAllowPrivate: false }).value).toEqual({
      webhookBodySecret: null,
    });
    for (const webhookBodySecret of ['', '  ', 'a\nb', '\0', 5, true, 'x'.repeat(201)])
      expect(Object.keys(check({ webhookBodySecret }).problems ?? {}), String(webhookBodySecret)).toEqual([
        'webhookBodySecret',
      ]);
  });

  it('require a boolean for each requirement', () => {
    for (const value of ['true', 1, null])
      expect(Object.keys(check({ requirePkce: value, requireSecret: value }).problems ?? {})).toEqual([
        'requirePkce',
        'requireSecret',
      ]);
  });
});

describe('input', () => {
  it('must be an object with known members; errors quote only plain names of unknown members', () => {
    for (const body of [undefined, null, [], 'text', 5])
      expect(checkNewApplication(body, { webhooksAllowPrivate: true }).problems, String(body)).toEqual({
        '': 'The body must be a JSON object.',
      });
    const unknown = (members: Record<string, unknown>) => check(members).problems?.[''];
    expect(unknown({ ownerId: 5, '<script>': 1 })).toBe('The body has unknown members: ownerId.');
    expect(unknown({ '<script>': 1, ['a'.repeat(101)]: 1, 'a b': 1 })).toBe('The body has unknown members.');
  });

  it('errors list every problem in one message', () => {
    expect(() => assertChecked(check({ name: '', redirectUri: 'javascript:x', requirePkce: 'yes' }))).toThrowError(
      /The name can’t be empty\. The redirect URL must begin with .* requirePkce must be true or false\./,
    );
  });

  it('changes only the given fields', () => {
    expect(checkChanges({}, { webhooksAllowPrivate: false })).toEqual({ value: {}, problems: null });
    expect(
      checkChanges({ description: '', webhookUrl: '', requireSecret: false }, { webhooksAllowPrivate: false }),
    ).toEqual({
      value: { description: '', webhookUrl: null, requireSecret: false },
      problems: null,
    });
    expect(checkChanges({ name: '' }, { webhooksAllowPrivate: false }).problems).not.toBeNull();
  });
});
