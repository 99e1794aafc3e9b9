import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../configuration-error.ts';
import { configure } from './configuration.ts';
import { attributeOf, OPTION_NAMES, RULES } from './rules.ts';

const TO = { to: 'ann@pay.example', amount: '0.10', currency: 'USD' };

/** True if every short text is a valid value of the option. */
const isAnyText = (name: keyof typeof RULES) => RULES[name].type === 'text' && RULES[name].reason === undefined;

const messageOf = (given: object): string => {
  try {
    configure(given as never);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message;
  }
  return '';
};

describe('the message about an option', () => {
  it.each(OPTION_NAMES.filter((name) => !isAnyText(name) && RULES[name].type !== 'function'))(
    'the message names attribute, value and fix: %s',
    (name) => {
      const wrong = '!?wrong?!';
      expect(messageOf({ ...TO, [name]: wrong })).toMatch(
        new RegExp(`^${attributeOf(name)} is "!\\?wrong\\?!"; it must be .{5}`),
      );
    },
  );

  it.each(OPTION_NAMES.filter((name) => isAnyText(name) && RULES[name].default === null && name !== 'successMessage'))(
    'the message names attribute and limit of an overlong text: %s',
    (name) => {
      const message = messageOf({ ...TO, [name]: 'x'.repeat(300_000) });
      expect(message).toContain(`${attributeOf(name as 'opReturn')} is "xxx`);
      expect(message).toMatch(/at most \d+ (?:characters|bytes)/);
    },
  );

  it.each<[object, string, string, RegExp]>([
    [{ ...TO, outputs: [TO] }, 'data-to', 'ann@pay.example', /remove/],
    [
      { opReturn: 'hello', cryptoOperations: [{ name: 'v', method: 'sign', data: 'x' }] },
      'data-op-return',
      'hello',
      /add data-to/,
    ],
    [{ amount: '0.10', currency: 'USD' }, 'data-to', 'missing', /write a paymail/],
    [{ to: TO.to, currency: 'USD' }, 'data-amount', 'missing', /write a decimal number, such as "0.10"/],
    [{ ...TO, amount: '1,5x' }, 'data-amount', '1,5x', /must be/],
    [{ ...TO, currency: 'US-Dollar' }, 'data-currency', 'US-Dollar', /must be/],
    [{ ...TO, to: 'nobody' }, 'data-to', 'nobody', /must be a paymail/],
    [{ outputs: [TO, { ...TO, currency: 'EUR' }] }, 'data-outputs', 'EUR', /write one/],
    [{ outputs: [{ ...TO, userId: '7' }] }, 'data-outputs[0].to', 'ann@pay.example', /write one/],
  ])('the message names attribute, value and fix: %j', (given, attribute, value, remedy) => {
    const message = messageOf(given);
    expect(message).toContain(attribute);
    expect(message).toContain(value);
    expect(message).toMatch(remedy);
  });
});
