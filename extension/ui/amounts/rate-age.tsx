import { useEffect, useState } from 'preact/hooks';
import type { ErrorCode } from '../../../protocol/errors/service-error.ts';
import { SATOSHIS_PER_BSV } from '../../../protocol/money/money.ts';
import type { Rate } from '../../../protocol/messages/wallet-messages.ts';
import { formatAge, formatMoney } from './format.ts';
import { WarningIcon } from '../controls/icons.tsx';
import { errorTexts, texts } from '../texts/texts.ts';

/** Interval at which the displayed age is updated (milliseconds). */
const LOOK_EVERY_MS = 30_000;

interface RateAgeProps {
  rate: Rate | null;
  /** A second rate that is used in the same view, if any. */
  beside?: Rate | null;
  /** Why the rate is null, if known. */
  problem?: ErrorCode | null;
}

/** Shows the rate's age, with a warning if there is only one source. Shows nothing for BSV, which has no rate. */
export function RateAge({ rate, beside = null, problem = null }: RateAgeProps) {
  const now = useNow();
  if (rate === null && (problem === 'rates-differ' || problem === 'clock-ahead'))
    return (
      <p class="warn small" data-part="rate">
        <WarningIcon size={16} />
        {problem === 'rates-differ' ? texts.rate.differ : errorTexts['clock-ahead']}
      </p>
    );
  if (rate === null)
    return (
      <p class="small muted" data-part="rate">
        {texts.rate.unknown}
      </p>
    );
  const rates = [rate, beside].filter((one): one is Rate => one !== null && one.currency !== 'BSV');
  return (
    <>
      {rates.map((one) => (
        <p class="small muted" data-part="rate">
          {texts.rate.line({ price: priceOf(one), age: formatAge(one.time, now) })}
        </p>
      ))}
      {rates.some(({ sources }) => sources === 1) && (
        <p class="warn small" data-part="one-source">
          <WarningIcon size={16} />
          {texts.rate.oneSource}
        </p>
      )}
    </>
  );
}

/**
 * Formats the price of one BSV. For other currencies, adds the dollar price, because only dollar prices can be
 * confirmed by a second source.
 */
function priceOf({ currency, price, dollar }: Rate): string {
  const own = formatMoney(SATOSHIS_PER_BSV, { currency, price });
  return currency === 'USD' || dollar === undefined
    ? own
    : `${own} (${formatMoney(SATOSHIS_PER_BSV, { currency: 'USD', price: dollar })})`;
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
