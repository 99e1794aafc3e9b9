/**
 * Substitutes values of crypto operations into output scripts: `#{name}` inside a script's push becomes the value's
 * bytes. The result is parsed like any other script from a page.
 */
import { parseAsm, parseScript } from '../../protocol/bitcoin/asm.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { MAX_SUBSTITUTED_BYTES } from '../../protocol/payments/limits.ts';
import { isHexScript } from '../../protocol/bitcoin/opcodes.ts';
import type { CryptoResult, RequestedOutput } from '../../protocol/payments/payment.ts';
import { pushData } from '../../protocol/bitcoin/push-data.ts';
import { readPush, splitVariables, variablesIn, type Template } from '../../protocol/bitcoin/variables.ts';
import { readChunks } from '../recipients/script-chunks.ts';
import type { Quote } from '../recipients/quote.ts';

type Value = Pick<CryptoResult, 'name' | 'value' | 'valueEncoding'>;

/**
 * Returns an output's script if it has variables, otherwise null. Variables encoded as hex count only if the request
 * has operations.
 */
function templateOf({ to, script }: RequestedOutput, hasOperations: boolean): string | null {
  const text = to ?? script ?? '';
  return text.includes('#{') || (hasOperations && variablesIn(text).length > 0) ? text : null;
}

/** Returns the names of the operations that the outputs' scripts refer to. */
export function namesIn(outputs: readonly RequestedOutput[]): Set<string> {
  return new Set(outputs.flatMap((output) => variablesIn(templateOf(output, true) ?? '')));
}

const unknown = (name: string) =>
  new ServiceError('invalid-operation', { message: `There is no operation named ${name}.` });

/** Checks that each variable has an operation. @throws ServiceError `invalid-operation` */
export function refuseUnknown(outputs: readonly RequestedOutput[], operations: readonly Pick<Value, 'name'>[]): void {
  if (operations.length === 0) return;
  const missing = [...namesIn(outputs)].find((name) => !operations.some((operation) => operation.name === name));
  if (missing !== undefined) throw unknown(missing);
}

/** Returns a value's bytes as hex. A hex value is already decoded; other values are encoded as UTF-8. */
function hexOf({ value, valueEncoding }: Value): string {
  return valueEncoding === 'hex' ? (value ?? '').toLowerCase() : toHex(new TextEncoder().encode(value ?? ''));
}

/** Substitutes values into scripts, up to a total size. */
class Filler {
  readonly #hexByName: ReadonlyMap<string, string>;
  #left = 2 * MAX_SUBSTITUTED_BYTES;

  constructor(values: readonly Value[]) {
    this.#hexByName = new Map(values.map((value) => [value.name, hexOf(value)]));
  }

  /** Returns the script in its original format: ASM or hex. */
  script(text: string): string {
    const filled = isHexScript(text)
      ? this.#bytes(fromHex(text))
      : text
          .split(' ')
          .map((word) => this.#word(word))
          .join(' ');
    if (isHexScript(text) ? filled === '' : parseAsm(filled) === null) throw new ServiceError('invalid-recipient');
    return filled;
  }

  #word(word: string): string {
    const push = readPush(word);
    if (push) return this.#push(push);
    if (word.includes('#'))
      throw new ServiceError('invalid-recipient', {
        message: 'A variable must be inside a push of a script.',
      });
    return this.#counted(word);
  }

  #bytes(script: Uint8Array): string {
    const { chunks, cut } = readChunks(script);
    const end = chunks.at(-1)?.end ?? 0;
    if (cut && splitVariables(latin1(script.subarray(end))).length > 1)
      throw new ServiceError('invalid-recipient', {
        message: 'A variable must be inside a push of a script.',
      });
    const parts = chunks.map(({ data, at, end: next }) => {
      const template = splitVariables(data === null ? '' : latin1(data));
      return template.length === 1
        ? this.#counted(toHex(script.subarray(at, next)))
        : toHex(pushData(fromHex(this.#push(template))));
    });
    return parts.join('') + toHex(script.subarray(end));
  }

  /** Returns the hex of a push. Each value's size is checked before it is inserted. */
  #push(template: Template): string {
    return template
      .map((part, i) => {
        if (i % 2 === 0) return this.#counted(toHex(Uint8Array.from(part, (character) => character.charCodeAt(0))));
        const hex = this.#hexByName.get(part);
        if (hex === undefined) throw unknown(part);
        return this.#counted(hex);
      })
      .join('');
  }

  #counted(text: string): string {
    this.#left -= text.length;
    if (this.#left < 0) throw new ServiceError('data-too-large');
    return text;
  }
}

/** Converts each byte to one character. */
const latin1 = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

/**
 * Returns the outputs with values substituted into their scripts. Outputs without variables remain unchanged.
 * @throws ServiceError `invalid-operation` (a variable without an operation), `invalid-recipient` (not a script, before
 * or after substitution), `data-too-large`
 */
export function substitute(outputs: readonly RequestedOutput[], values: readonly Value[]): RequestedOutput[] {
  const filler = new Filler(values);
  return outputs.map((output) => {
    const template = templateOf(output, values.length > 0);
    if (template === null) return output;
    // A hex string in `to` isn't treated as a script.
    if (output.script === undefined && isHexScript(template)) return output;
    return { script: filler.script(template), amount: output.amount, currency: output.currency };
  });
}

/**
 * Returns the quote with different values in the same scripts, without new host requests.
 * @throws see {@link substitute}
 */
export function requoted(quote: Quote, outputs: readonly RequestedOutput[], values: readonly Value[]): Quote {
  const substituted = substitute(outputs, values);
  return {
    ...quote,
    outputs: quote.outputs.map((output, i) => {
      const { script } = substituted[i] as RequestedOutput;
      if (substituted[i] === outputs[i] || script === undefined) return output;
      const bytes = toHex(parseScript(script) as Uint8Array);
      return {
        ...output,
        to: script,
        script,
        scripts: output.scripts.map(({ satoshis }) => ({ script: bytes, satoshis })),
      };
    }),
  };
}
