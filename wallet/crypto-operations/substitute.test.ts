import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { codeThrownBy } from '../../testing/code-of.ts';
import { concatBytes, fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import type { RequestedOutput } from '../../protocol/payments/payment.ts';
import { describeScript } from '../recipients/describe-script.ts';
import { readChunks } from '../recipients/script-chunks.ts';
import { parseAsm } from '../../protocol/bitcoin/asm.ts';
import { pushData } from '../../protocol/bitcoin/push-data.ts';
import { namesIn, requoted, substitute } from './substitute.ts';

type Value = Parameters<typeof substitute>[1][number];
const value = (name: string, text: string, valueEncoding: Value['valueEncoding'] = 'utf8'): Value => ({
  name,
  value: text,
  valueEncoding,
});
const output = (script: string): RequestedOutput => ({ script, amount: '0', currency: 'BSV' });
/** Returns the data pushed by a template's script after substitution. */
function pushes(template: string, ...values: Value[]): string[] {
  const [{ script = '' } = {}] = substitute([output(template)], values);
  const bytes = parseAsm(script);
  expect(bytes).not.toBeNull();
  const { chunks, cut } = readChunks(bytes as Uint8Array);
  expect(cut).toBe(false);
  return chunks.flatMap(({ data }) => (data === null ? [] : [toHex(data)]));
}

describe('[R-18] [S-03] a value in a script', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 400 });
  const encoded: fc.Arbitrary<[Value, Uint8Array]> = fc.oneof(
    bytes.map((b): [Value, Uint8Array] => [value('v', toHex(b), 'hex'), b]),
    fc
      .string({ unit: 'binary', minLength: 1, maxLength: 200 })
      .filter((t) => t.isWellFormed())
      .map((t): [Value, Uint8Array] => [value('v', t), new TextEncoder().encode(t)]),
    bytes.map((b): [Value, Uint8Array] => [
      value('v', btoa(String.fromCharCode(...b)), 'base64'),
      new TextEncoder().encode(btoa(String.fromCharCode(...b))),
    ]),
  );

  test('a value is its bytes in one push: decoded hexadecimal, or the bytes of its text', () => {
    fc.assert(
      fc.property(
        encoded,
        fc.uint8Array({ maxLength: 90 }),
        fc.uint8Array({ maxLength: 90 }),
        ([v, expected], before, after) => {
          expect(pushes('OP_FALSE OP_RETURN beef #{v}', v)).toEqual(['', 'beef', toHex(expected)]);
          expect(pushes(`OP_DROP ${toHex(before)}#{v}${toHex(after)}#{v}`, v)).toEqual([
            toHex(concatBytes(before, expected, after, expected)),
          ]);
        },
      ),
      { numRuns: 200 },
    );
  });

  test.each([1, 75, 76, 255, 256, 65_535, 65_536, 99_000])(
    'a value of %i bytes is pushed in its shortest form, and parsed back',
    (length) => {
      const data = new Uint8Array(length).fill(0x61);
      const [{ script = '' } = {}] = substitute([output('OP_FALSE OP_RETURN #{v}')], [value('v', toHex(data), 'hex')]);
      const read = parseAsm(script) as Uint8Array;
      expect(read.length).toBe(2 + (length < 76 ? 1 : length < 256 ? 2 : length < 65_536 ? 3 : 5) + length);
      expect(describeScript(read, 'devnet')).toMatchObject({
        kind: 'nobody',
        bytes: read.length,
        data: length < 4 ? [] : [{ bytes: length }],
      });
    },
  );

  test('a value can never be an opcode', () => {
    fc.assert(
      fc.property(encoded, ([v]) => {
        const script = substitute([output('OP_DROP #{v}')], [v])[0]?.script ?? '';
        expect(readChunks(parseAsm(script) as Uint8Array).chunks.map(({ data }) => data === null)).toEqual([
          true,
          false,
        ]);
      }),
    );
  });

  test.each([
    ['a name that no operation has', 'OP_DROP #{w}', 'invalid-operation'],
    ['an invalid name', 'OP_DROP #{v1}', 'invalid-recipient'],
    ['half of a byte beside it', 'OP_DROP 0#{v}0', 'invalid-recipient'],
    ['half of an opcode', 'OP_#{v} OP_DROP', 'invalid-recipient'],
    ['a hexadecimal script', '76a9#{v}', 'invalid-recipient'],
    ['a user ID', '#{v}', 'invalid-recipient'],
    ['a paymail', 'a#{v}@b.example', 'invalid-recipient'],
    ['an unfinished variable', 'OP_DROP #{v', 'invalid-recipient'],
    ['an opcode that there is not', 'OP_NOTHING #{v}', 'invalid-recipient'],
  ])('a value can’t be used in %s', (_, template, code) => {
    for (const one of [output(template), { to: template, amount: '1', currency: 'BSV' }])
      expect(codeThrownBy(() => substitute([one], [value('v', '31', 'hex')]))).toBe(code);
  });

  const hexText = (text: string) => toHex(new TextEncoder().encode(text));

  test('a value replaces its variable in every library’s encoding of a push, in ASM and in bytes', () => {
    fc.assert(
      fc.property(encoded, fc.uint8Array({ maxLength: 90 }), ([v, expected], around) => {
        const push = toHex(around) + hexText('#{v}') + toHex(around);
        const filled = [toHex(concatBytes(around, expected, around))];
        expect(pushes(`OP_RETURN ${push}`, v)).toEqual(filled);
        expect(pushes(`OP_RETURN ${push.toUpperCase()}`, v)).toEqual(filled);
        expect(pushes(`OP_RETURN #{v}${hexText('#{v}')}`, v)).toEqual([toHex(concatBytes(expected, expected))]);
        const bytes = toHex(concatBytes(fromHex('006a'), pushData(fromHex('beef')), pushData(fromHex(push))));
        const [{ script = '' } = {}] = substitute([output(bytes)], [v]);
        expect(readChunks(fromHex(script)).chunks.map(({ data }) => data && toHex(data))).toEqual([
          '',
          null,
          'beef',
          ...filled,
        ]);
      }),
      { numRuns: 200 },
    );
  });

  test('a value is not searched for variables', () => {
    expect(pushes('OP_RETURN #{v}', value('v', '#{w} #{v}'))).toEqual([hexText('#{w} #{v}')]);
  });

  test.each(['#{w}', '#{v1}', '#{my name}', '#{V}'])(
    'a variable without an operation is reported, including in %s',
    (variable) => {
      for (const script of [
        `OP_RETURN beef${hexText(variable)}`,
        toHex(concatBytes(fromHex('006a'), pushData(fromHex(hexText(variable))))),
      ]) {
        expect(codeThrownBy(() => substitute([output(script)], [value('v', 'x')]))).toBe('invalid-operation');
        // Without operations, the variable is ordinary data.
        expect(substitute([output(script)], [])).toEqual([output(script)]);
      }
    },
  );

  test('a variable is not recognized across half bytes, nor outside of pushes', () => {
    const shifted = `OP_RETURN 0${hexText('#{w}')}0`;
    expect(substitute([output(shifted)], [value('v', 'x')])).toEqual([output(shifted)]);
    // The last push claims more bytes than the script has, so nothing can be substituted.
    expect(codeThrownBy(() => substitute([output(`006a4c${hexText('#{v}')}`)], [value('v', 'x')]))).toBe(
      'invalid-recipient',
    );
  });

  test('a value is never written beyond a transaction’s maximum size', () => {
    const large = value('v', 'x'.repeat(99_000));
    expect(codeThrownBy(() => substitute([output(`OP_RETURN ${'#{v}'.repeat(49_000)}`)], [large]))).toBe(
      'data-too-large',
    );
    expect(pushes(`OP_RETURN ${'ab'.repeat(99_000)}${hexText('#{v}')}`, value('v', 'x'))).toEqual([
      `${'ab'.repeat(99_000)}78`,
    ]);
  });

  test('an empty value leaves an empty push, which isn’t a script', () => {
    expect(codeThrownBy(() => substitute([output('OP_DROP #{v}')], [value('v', '')]))).toBe('invalid-recipient');
    expect(pushes('OP_DROP beef#{v}', value('v', ''))).toEqual(['beef']);
  });

  test('values fill at most 200,000 bytes of scripts', () => {
    const large = value('v', 'aa'.repeat(99_000), 'hex');
    const data = output('OP_FALSE OP_RETURN #{v}');
    expect(codeThrownBy(() => substitute([data, data], [large]))).toBe('none');
    expect(codeThrownBy(() => substitute([data, data, data], [large]))).toBe('data-too-large');
  });

  test('a result that exceeds the maximum isn’t even assembled, because a few characters can request gigabytes', () => {
    const large = value('v', 'aa'.repeat(99_000), 'hex');
    const template = output(`OP_FALSE OP_RETURN ${'#{v}'.repeat(4000)}`);
    const replaced = vi.spyOn(Map.prototype, 'get');
    expect(codeThrownBy(() => substitute([template], [large]))).toBe('data-too-large');
    const asked = replaced.mock.calls.length;
    vi.restoreAllMocks();
    expect(asked).toBeLessThan(10);
  });

  test('scripts without variables stay unchanged, and the names of variables are found', () => {
    const plain: RequestedOutput[] = [{ to: 'a@b.example', amount: '1', currency: 'BSV' }, output('OP_DROP beef')];
    expect(substitute(plain, [])).toEqual(plain);
    expect(namesIn([...plain, output('OP_DROP #{a} be#{b}#{a}'), output(`OP_DROP ${hexText('#{c}')}`)])).toEqual(
      new Set(['a', 'b', 'c']),
    );
  });

  test('a later value changes the same scripts and nothing else', () => {
    const options = [{ to: 'a@b.example', amount: '1', currency: 'BSV' }, output('OP_FALSE OP_RETURN #{v}')];
    const host = {
      scripts: [{ script: '51', satoshis: 1n }],
      type: 'PAYMAIL' as const,
      to: 'a@b.example',
      paymail: 'a@b.example',
      userId: null,
      address: null,
      script: null,
      amount: '1',
      currency: 'BSV',
      satoshis: '1',
    };
    const data = {
      ...host,
      scripts: [{ script: '006a013f', satoshis: 0n }],
      type: 'SCRIPT' as const,
      to: 'x',
      paymail: null,
      script: 'x',
      satoshis: '0',
    };
    const quote = { outputs: [host, data], amount: '1', currency: 'BSV', satoshis: 1n };
    const asm = `OP_FALSE OP_RETURN ${toHex(new TextEncoder().encode('yes'))}`;
    expect(requoted(quote, options, [value('v', 'yes')])).toEqual({
      ...quote,
      outputs: [
        host,
        {
          ...data,
          to: asm,
          script: asm,
          scripts: [{ script: toHex(concatBytes(fromHex('006a03'), new TextEncoder().encode('yes'))), satoshis: 0n }],
        },
      ],
    });
  });
});
