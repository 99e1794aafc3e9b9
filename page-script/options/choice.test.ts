// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../configuration-error.ts';
import { configure } from './configuration.ts';

const TO = 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb';
const reasonOf = (given: object) => {
  try {
    configure({ to: TO, ...given });
    return null;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.reason;
  }
};

describe('a chosen amount', () => {
  test('a chosen amount pays the page’s recipient, with its limits and the note', () => {
    const given = { to: TO, presets: '1 5  20', min: '0.50', max: '100' };
    expect(configure(given).payment.outputs).toEqual([]);
    expect(configure(given, false, { amount: '7.5', note: 'Thanks!' })).toMatchObject({
      choice: { presets: ['1', '5', '20'], min: '0.50', max: '100', amount: null },
      payment: {
        outputs: [{ to: TO, amount: '7.5', currency: 'USD' }],
        choice: { min: '0.50', max: '100' },
        payerNote: 'Thanks!',
      },
    });
  });

  test('presets and limits may be JavaScript numbers', () => {
    expect(configure({ to: TO, presets: [1, 2.5], max: 3 }).choice).toMatchObject({ presets: ['1', '2.5'], max: '3' });
  });

  test('presets and limits are ignored on an editable button', () => {
    expect(configure({ editable: true, presets: 'x', min: '5', max: '1' }).choice).toBeUndefined();
  });

  test.each([
    [{ presets: '1 x' }, 'invalid-amount'],
    [{ presets: '1,5' }, 'invalid-amount'],
    [{ presets: '0 1' }, 'invalid-amount'],
    [{ presets: '1 5', max: '4' }, 'invalid-amount'],
    [{ presets: '1 5', min: '2' }, 'invalid-amount'],
    [{ min: '5', max: '1' }, 'invalid-amount'],
    [{ min: '0' }, 'invalid-amount'],
    [{ min: '5', amount: '4' }, 'invalid-amount'],
    [{ presets: '1 2 3 4 5 6 7' }, 'invalid-option'],
    [{ min: '1', currency: 'gold@pay.example' }, 'conflicting-options'],
    [{ min: '1', to: null, outputs: [{ to: TO, amount: '1', currency: 'USD' }] }, 'conflicting-options'],
    [{ min: '1', to: null }, 'missing-recipient'],
    [{ min: '1', to: 'nobody' }, 'invalid-recipient'],
    [{ max: '21000001', currency: 'BSV' }, 'invalid-amount'],
  ])('a mistake of the page is rejected: %j', (given, reason) => expect(reasonOf(given)).toBe(reason));
});

test.each([
  [{ amount: '21000000', currency: 'BSV' }, null],
  [{ amount: '21000000.00000001', currency: 'BSV' }, 'invalid-amount'],
  [{ amount: '21000001', currency: 'BSV' }, 'invalid-amount'],
  [{ amount: '999999999', currency: 'BSV' }, 'invalid-amount'],
  [{ amount: '21000001', currency: 'USD' }, null],
  [
    {
      to: null,
      outputs: [
        { to: TO, amount: '11000000', currency: 'BSV' },
        { to: TO, amount: '11000000', currency: 'BSV' },
      ],
    },
    'invalid-amount',
  ],
])('an amount must not exceed the supply: %j', (given, reason) => expect(reasonOf(given)).toBe(reason));
