/**
 * Values of crypto operations in output scripts: `#{name}` stands inside a push of a script in ASM and becomes the value's
 * bytes. What comes out is read as any script that a page asks for.
 */
import { toHex } from '../../../protocol/bytes.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import { parseAsm } from '../../../protocol/asm.ts';
import { MAX_SUBSTITUTED_BYTES } from '../../../protocol/limits.ts';
import type { CryptoResult, RequestedOutput } from '../../../protocol/payment.ts';
import type { Quote } from '../payment/record.ts';

/** A value to put in. */
type Value = Pick<CryptoResult, 'name' | 'value' | 'valueEncoding'>;

const PUSH = /^(?:[0-9a-fA-F]{2}|#\{[A-Za-z]{1,50}\})+$/;
const VARIABLE = /#\{([A-Za-z]{1,50})\}/g;

/** The script of an output that has variables in it; null for any other. */
function templateOf({ to, script }: RequestedOutput): string | null {
  const text = to ?? script;
  return text?.includes('#{') ? text : null;
}

/** Names of the operations whose values stand in these outputs' scripts. */
export function namesIn(outputs: readonly RequestedOutput[]): Set<string> {
  return new Set(outputs.flatMap((output) => [...(templateOf(output) ?? '').matchAll(VARIABLE)].map(([, name = '']) => name)));
}

/** The bytes of a value, hex: those that a hexadecimal value stands for, of any other those of its text. */
function hexOf({ value, valueEncoding }: Value): string {
  return valueEncoding === 'hex' ? (value ?? '').toLowerCase() : toHex(new TextEncoder().encode(value ?? ''));
}

/** @param take is called with each value before it is put in: a few characters of a template can ask for gigabytes */
function filled(template: string, hexByName: ReadonlyMap<string, string>, take: (length: number) => void): string {
  return template.split(' ').map((token) => {
    if (!token.includes('#')) return token;
    if (!PUSH.test(token)) throw new ServiceError('invalid-recipient', { message: 'A variable stands for bytes inside a push of a script.' });
    return token.replace(VARIABLE, (_, name: string) => {
      const hex = hexByName.get(name);
      if (hex === undefined) throw new ServiceError('invalid-operation', { message: `No operation is called ${name}.` });
      take(hex.length);
      return hex;
    });
  }).join(' ');
}

/**
 * The outputs with the values in their scripts, the others as they are.
 * @throws ServiceError `invalid-operation` (a name that no operation has), `invalid-recipient` (no script, before or after),
 *   `data-too-large`
 */
export function substitute(outputs: readonly RequestedOutput[], values: readonly Value[]): RequestedOutput[] {
  const hexByName = new Map(values.map((value) => [value.name, hexOf(value)]));
  let left = 2 * MAX_SUBSTITUTED_BYTES;
  const take = (length: number) => {
    left -= length;
    if (left < 0) throw new ServiceError('data-too-large');
  };
  return outputs.map((output) => {
    const template = templateOf(output);
    if (template === null) return output;
    const { amount, currency } = output;
    take(template.length);
    const script = filled(template, hexByName, take);
    if (parseAsm(script) === null) throw new ServiceError('invalid-recipient');
    return { script, amount, currency };
  });
}

/**
 * A quote with other values in the same scripts: hosts that gave scripts out are not asked again.
 * @throws ServiceError as {@link substitute}
 */
export function requoted(quote: Quote, outputs: readonly RequestedOutput[], values: readonly Value[]): Quote {
  const substituted = substitute(outputs, values);
  return {
    ...quote,
    outputs: quote.outputs.map((output, i) => {
      const { script } = substituted[i] as RequestedOutput;
      if (templateOf(outputs[i] as RequestedOutput) === null || script === undefined) return output;
      const bytes = toHex(parseAsm(script) as Uint8Array);
      return { ...output, to: script, script, scripts: output.scripts.map(({ satoshis }) => ({ script: bytes, satoshis })) };
    }),
  };
}
