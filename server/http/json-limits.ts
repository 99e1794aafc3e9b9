/** Rejects JSON whose parsed form would cost far more than its size suggests. Pure. */
import { ServiceError } from '../../protocol/errors/service-error.ts';

/** More than twice the depth of any valid body. Deep nesting overflows the stack of recursive code. */
const DEEPEST = 32;
/** More than twice the number of values in the largest payment. A million empty objects take 100 MB. */
const MAX_JSON_VALUES = 50_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** Scans the text once, skipping strings. Leaves syntax errors to the parser. @throws ServiceError `invalid-request` */
export function assertModest(text: string): void {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const c = text.charCodeAt(at);
    if (c === QUOTE) {
      at = endOfString(text, at);
      if (at < 0) return;
    } else if (c === COMMA) {
      values += 1;
    } else if (c === 0x7b || c === 0x5b) {
      depth += 1;
      values += 1;
    } else if (c === 0x7d || c === 0x5d) {
      depth -= 1;
    }
    if (depth > DEEPEST)
      throw new ServiceError('invalid-request', {
        message: `The body must not be nested more than ${DEEPEST} levels deep.`,
      });
    if (values > MAX_JSON_VALUES)
      throw new ServiceError('invalid-request', {
        message: `The body must not have more than ${MAX_JSON_VALUES} values.`,
      });
  }
}

/** Returns the index of a string's closing quote, or -1 if there is none. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}
