import { beforeEach, describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { addressScript, writeAddress } from '../../protocol/bitcoin/address.ts';
import { parseAsm } from '../../protocol/bitcoin/asm.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import type { RequestedOutput } from '../../protocol/payments/payment.ts';
import { paymailDestination, userDestination } from '../paymail/destination.ts';
import { holdTime } from '../../testkit/wallet/clock.ts';
import { resolveOutputs } from './resolve.ts';
import { wallet } from '../../testkit/wallet/current.ts';

vi.mock('../paymail/destination.ts', () => {
  const destination = vi.fn(async (_wallet: unknown, text: string, satoshis: bigint) => ({
    scripts: [{ script: '51', satoshis }],
    host: { paymail: text },
  }));
  return { paymailDestination: destination, userDestination: vi.fn(destination) };
});
beforeEach(() => void vi.clearAllMocks());

const ADDRESS = writeAddress(new Uint8Array(20).fill(9), 'devnet');
const ASM = 'OP_DUP OP_HASH160 89abcdefabbaabbaabbaabbaabbaabbaabbaabba OP_EQUALVERIFY OP_CHECKSIG';
const P2SH = 'OP_HASH160 89abcdefabbaabbaabbaabbaabbaabbaabbaabba OP_EQUAL';
const HEX = '76a91489abcdefabbaabbaabbaabbaabbaabbaabbaabba88ac';
const priceOf = async (currency: string) => (currency === 'BSV' ? '1' : '50');
const resolve = (...outputs: RequestedOutput[]) =>
  resolveOutputs(wallet, outputs, 'devnet', priceOf, 'https://shop.example');
const money = { amount: '1', currency: 'USD' };

describe('an output', () => {
  test.each<[string, Omit<RequestedOutput, 'amount' | 'currency'>, string, string]>([
    ['[S-10] an address', { to: ADDRESS }, 'ADDRESS', toHex(addressScript(ADDRESS, 'devnet'))],
    ['an address by name', { address: ADDRESS }, 'ADDRESS', toHex(addressScript(ADDRESS, 'devnet'))],
    ['[S-11] a script', { to: ASM }, 'SCRIPT', HEX],
    ['a script by name', { script: ASM }, 'SCRIPT', HEX],
    ['a script in hex by name', { script: HEX }, 'SCRIPT', HEX],
  ])('an output pays %s', async (_, recipient, type, script) => {
    const {
      outputs: [output],
    } = await resolve({ ...recipient, ...money });
    const text = Object.values(recipient)[0] as string;
    expect(output).toEqual({
      type,
      to: text,
      paymail: null,
      userId: null,
      address: type === 'ADDRESS' ? text : null,
      script: type === 'SCRIPT' ? text : null,
      ...money,
      satoshis: '2000000',
      scripts: [{ script, satoshis: 2_000_000n }],
      host: null,
    });
  });

  test.each<[string, Omit<RequestedOutput, 'amount' | 'currency'>]>([
    ['invalid-recipient', { to: 'nobody at all' }],
    ['invalid-recipient', { to: HEX }],
    ['invalid-recipient', { address: ASM }],
    ['invalid-recipient', { address: '75101' }],
    ['invalid-recipient', { to: writeAddress(new Uint8Array(20), 'mainnet') }],
    ['invalid-recipient', { script: 'abc' }],
    ['invalid-recipient', { script: 'OP_NOPE' }],
    ['invalid-recipient', { to: 'OP_RETURN 6869' }],
    ['invalid-recipient', { script: '006a026869' }],
    ['invalid-recipient', { script: 'OP_0 OP_RETURN' }],
    ['invalid-recipient', { to: P2SH }],
    ['invalid-recipient', { script: P2SH }],
    ['invalid-recipient', { script: toHex(parseAsm(P2SH)!) }],
    ['invalid-recipient', { to: '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc' }],
    ['invalid-recipient', { address: '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy' }],
  ])('an output is rejected as %s: %j', async (code, recipient) => {
    expect(await codeOf(resolve({ ...recipient, ...money }))).toBe(code);
  });

  test.each<[Omit<RequestedOutput, 'amount' | 'currency'>, string, typeof paymailDestination]>([
    [{ to: 'alice@example.com' }, 'PAYMAIL', paymailDestination],
    [{ paymail: 'alice@example.com' }, 'PAYMAIL', paymailDestination],
    [{ address: 'alice@example.com' }, 'PAYMAIL', paymailDestination],
    [{ to: '75101' }, 'USER', userDestination],
    [{ userId: '75101' }, 'USER', userDestination],
  ])(
    '[S-08] [S-09] an output is requested from a host, on behalf of the requesting site: %j',
    async (recipient, type, destination) => {
      const text = Object.values(recipient)[0] as string;
      const {
        outputs: [output],
      } = await resolve({ ...recipient, ...money });
      expect(destination).toHaveBeenCalledExactlyOnceWith(
        wallet,
        text,
        2_000_000n,
        'https://shop.example',
        ...(type === 'USER' ? [null] : []),
      );
      expect(output).toMatchObject({ type, to: text, scripts: [{ satoshis: 2_000_000n }], host: { paymail: text } });
    },
  );

  test.each([
    ['OP_FALSE OP_RETURN 6869', 'script'],
    ['OP_0 OP_RETURN 6869', 'to'],
    ['006a026869', 'script'],
  ])('a data-only script pays nothing: %s', async (text, by) => {
    const {
      outputs: [output],
    } = await resolve({ [by]: text, amount: '0', currency: 'USD' });
    expect(output).toMatchObject({ type: 'SCRIPT', satoshis: '0', scripts: [{ script: '006a026869', satoshis: 0n }] });
  });

  test.each(['OP_RETURN 6869', 'OP_DROP 6869', ADDRESS])('%s needs an amount', async (to) => {
    expect(await codeOf(resolve({ to, amount: '0', currency: 'USD' }))).toBe('invalid-amount');
  });

  test('an anyone-can-spend push is never paid if a script in hex was meant', async () => {
    const {
      outputs: [output],
    } = await resolve({ script: HEX, ...money });
    expect(fromHex(output?.scripts[0]?.script ?? '')).toHaveLength(25);
  });
});

describe('outputs', () => {
  test('outputs are rounded one by one, and their sums are exact', async () => {
    const quote = await resolve(
      ...['0.1', '0.33', '0.000001'].map((amount) => ({ to: ADDRESS, amount, currency: 'USD' })),
    );
    expect(quote.outputs.map((o) => o.satoshis)).toEqual(['200000', '660000', '2']);
    expect(quote).toMatchObject({ amount: '0.430001', currency: 'USD', satoshis: 860_002n });
  });

  test('[R-17] all outputs have one currency', async () => {
    expect(await codeOf(resolve({ to: ADDRESS, ...money }, { to: ADDRESS, amount: '1', currency: 'BSV' }))).toBe(
      'mixed-currencies',
    );
  });

  test.each([
    ['invalid-amount', '0'],
    ['invalid-amount', '1e3'],
    ['amount-too-small', '0.0000001'],
    ['invalid-amount', '99999999999999999'],
  ])('outputs are rejected as %s for %s', async (code, amount) => {
    expect(await codeOf(resolve({ to: ADDRESS, ...money }, { to: ADDRESS, amount, currency: 'USD' }))).toBe(code);
  });

  test('hosts are queried within a limit per site, and only once all recipients are well-formed', async () => {
    const outputs = (count: number) => Array.from({ length: count }, (_, i) => ({ to: `a${i}@example.com`, ...money }));
    const from = (site: string, count: number) =>
      codeOf(resolveOutputs(wallet, outputs(count), 'devnet', priceOf, site));
    const goOn = holdTime(); // stops the clock so that the rate limit doesn't recover
    const codes = [
      await from('https://a.example', 100),
      await from('https://a.example', 5),
      await from('https://b.example', 5),
    ];
    goOn();
    expect(codes).toEqual(['none', 'too-many-requests', 'none']);
    expect(paymailDestination).toHaveBeenCalledTimes(105);
    expect(await codeOf(resolve(...outputs(3), { to: 'nobody at all', ...money }))).toBe('invalid-recipient');
    expect(paymailDestination).toHaveBeenCalledTimes(105);
  });

  test('outputs fail with the price’s error, after the recipients were checked', async () => {
    const none = async () => {
      throw Object.assign(new Error('none'), { code: 'rate-unavailable' });
    };
    expect(
      await codeOf(resolveOutputs(wallet, [{ to: ADDRESS, ...money }], 'devnet', none, 'https://shop.example')),
    ).toBe('rate-unavailable');
    expect(
      await codeOf(resolveOutputs(wallet, [{ to: 'nobody', ...money }], 'devnet', none, 'https://shop.example')),
    ).toBe('invalid-recipient');
  });
});
