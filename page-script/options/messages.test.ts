import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../configuration-error.ts';
import { configure } from './configuration.ts';

const TO = { to: 'ann@pay.example', amount: '0.10', currency: 'USD' };

describe('the message about an option', () => {
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
  ])('names attribute, value and remedy: %j', (given, attribute, value, remedy) => {
    let message = '';
    try {
      configure(given as never);
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigurationError);
      message = (error as Error).message;
    }
    expect(message).toContain(attribute);
    expect(message).toContain(value);
    expect(message).toMatch(remedy);
  });
});
