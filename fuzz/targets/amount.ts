/** Fuzzes amounts as written by pages, users and hosts. Amounts must be parsed exactly, and serialized unchanged. */
import {
  addDecimals,
  decimalText,
  parseDecimal,
  priceText,
  satoshisToBsv,
  toSatoshis,
} from '../../protocol/money/money.ts';
import { readTokenDecimal, writeTokenDecimal } from '../../protocol/assets/bsv21/amount.ts';
import { amountReadings, fieldText, typedAmount } from '../../protocol/money/typed-amount.ts';
import { writtenAmount } from '../../protocol/money/written-amount.ts';
import { must, mustEqual, orRefusal, target, textOf } from '../target.ts';

export default target({
  form: 'bytes',
  seeds: () => [
    '0.10',
    '1',
    '21000000',
    '.5',
    '1.',
    '007',
    '1e-7',
    '18446744073709551615',
    '0.000000000000000001',
    '-1',
    '1.000,50',
    '1,00,000',
    '١٬٠٠٠٫٥',
  ],
  read: (input) => {
    const text = textOf(input);
    return {
      decimal: orRefusal(['invalid-amount'], () => parseDecimal(text)),
      satoshis: orRefusal(['invalid-amount', 'amount-too-small'], () => toSatoshis(text, '1')),
      priced: orRefusal(['rate-unavailable', 'invalid-amount', 'amount-too-small'], () => toSatoshis('1', text)),
      sum: orRefusal(['invalid-amount'], () => addDecimals([text, '0.5'])),
      price: priceText(text),
      token: readTokenDecimal(text, 8),
      written: writtenAmount(text),
      number: writtenAmount(Number(text)),
      typed: amountReadings(text),
    };
  },
  check: ({ decimal, satoshis, priced, sum, price, token, written, number, typed }, input) => {
    const text = textOf(input);
    mustEqual(sum !== null, decimal !== null, 'only one of sum and parser accepts it');
    if (decimal) mustEqual([decimalText(decimal.units, decimal.scale), written], [text, text], 'written differently');
    for (const amount of [written, number])
      if (amount !== null)
        must(
          orRefusal(['invalid-amount'], () => parseDecimal(amount)) !== null || /\d{19}/.test(amount),
          'accepted an invalid amount',
        );
    for (const reading of typed) {
      must(parseDecimal(reading).units > 0n, 'accepted a typed amount of zero');
      mustEqual(Number(typedAmount(fieldText(reading))), Number(reading), 'the field is filled in differently');
    }
    if (satoshis !== null) {
      must(satoshis > 0n && satoshis <= 2_100_000_000_000_000n, 'the amount exceeds the money supply');
      if (decimal && decimal.scale <= 8)
        mustEqual(toSatoshis(satoshisToBsv(satoshis), '1'), satoshis, 'read differently');
    }
    must(priced === null || price === text, 'accepted an invalid price');
    if (token !== null) mustEqual(readTokenDecimal(writeTokenDecimal(token, 8), 8), token, 'read differently');
  },
});
