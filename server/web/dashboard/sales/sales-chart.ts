/** An application's revenue by day: the total, a bar chart, and the same data as a table. */
import type { Sums } from '../../../payments/sales/sales-sums.ts';
import { decimalText } from '../../../../protocol/money/money.ts';
import { html, type Html } from '../../../page/html.ts';
import { moneyText, numberText, type Written } from '../../../page/figures.ts';
import type { Words } from '../../../page/page-locale.ts';
import { rounded } from '../../../payments/worth.ts';
import { plainDay, satoshisText } from '../parts.ts';
import type { Days } from '../time-zone.ts';

const HEIGHT = 120;
/** Widths of a bar, and of a bar with its gap. */
const [BAR, STEP] = [8, 10];

/** Converts a decimal string to an integer in units of 10⁻⁸. */
const units = (amount: string): bigint => {
  const [whole = '0', part = ''] = amount.split('.');
  return BigInt(whole + part.slice(0, 8).padEnd(8, '0'));
};

/** Returns the exact total of all days, using integers. */
function totalOf(days: readonly Sums[]): Sums {
  const zero = { payments: 0, satoshis: 0n, unrated: 0, worth: 0n };
  const { worth, ...rest } = days.reduce(
    (sum, day) => ({
      payments: sum.payments + day.payments,
      satoshis: sum.satoshis + day.satoshis,
      unrated: sum.unrated + day.unrated,
      worth: sum.worth + units(day.worth),
    }),
    zero,
  );
  return { ...rest, worth: decimalText(worth, 8) };
}

/** Formats a total: `1,234.50` */
function sumNumber(worth: string, currency: string, { language }: Words): string {
  if (/^[0.]*$/.test(worth)) return numberText(0, language);
  return numberText((currency === 'BSV' ? worth.replace(/\.?0+$/, '') : rounded(worth)) as Written, language);
}

/** Formats a total with its currency: `1,234.50 USD` */
export const sumText = (worth: string, currency: string, words: Words): string =>
  moneyText(sumNumber(worth, currency, words), currency, words.language);

/**
 * Renders the chart.
 * @param sums one per day
 * @param currency the amounts' currency
 * @param button the selected button, or null for all
 */
export function salesChart(
  { from, to, bounds }: Days,
  sums: readonly Sums[],
  currency: string,
  days: string[],
  button: string | null,
  words: Words,
): Html {
  const t = words.texts.applications.sales;
  const total = totalOf(sums);
  const values = sums.map(({ worth }) => units(worth));
  const most = values.reduce((a, b) => (a > b ? a : b), 0n);
  const width = (bounds.length - 1) * STEP - (STEP - BAR);
  // Heights are in thousandths of the highest bar, because bars needn't be exact.
  const heightOf = (value: bigint) =>
    most === 0n || value <= 0n ? 0 : Math.max(1, (Number((value * 1000n) / most) * HEIGHT) / 1000);
  const bars = values.map((value, i) => {
    const height = heightOf(value);
    return html`<rect class="bar" x="${i * STEP}" y="${HEIGHT - height}" width="${BAR}" height="${height}"><title>${plainDay(days[i] ?? from, words)}: ${sumText(sums[i]?.worth ?? '0', currency, words)}</title></rect>`;
  });
  return html`<section class="card stack" aria-labelledby="sum">
<div class="stack stack-tight">
<h2 class="label anywhere" id="sum">${t.total({ currency })}${button !== null && html` · <bdi>${button.slice(0, 60)}</bdi>`}</h2>
<p class="amount amount-large">${sumText(total.worth, currency, words)}</p>
<p class="muted">${t.payments({ count: total.payments })} · <span class="amount">${satoshisText(total.satoshis, words)}</span></p>
${total.unrated > 0 && html`<p class="small muted">${t.unrated({ count: total.unrated })}</p>`}
</div>
<figure class="chart">
<svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${t.chart}">${bars}</svg>
<figcaption class="row small muted"><span>${plainDay(from, words)}</span>${most > 0n && html`<span>${t.highest({ amount: html`<span class="amount">${sumText(decimalText(most, 8), currency, words)}</span>` })}</span>`}<span>${plainDay(to, words)}</span></figcaption>
</figure>
<details><summary class="link">${t.asTable}</summary>
<section class="table-scroll" tabindex="0" aria-label="${t.perDay}"><table class="table"><thead><tr><th scope="col">${t.day}</th><th scope="col">${t.paymentsColumn}</th><th scope="col">${currency}</th><th scope="col">${t.satoshisColumn}</th></tr></thead>
<tbody>${sums.map((sum, i) => (sum.payments === 0 ? null : html`<tr><th scope="row">${plainDay(days[i] ?? from, words)}</th><td class="amount">${numberText(sum.payments, words.language)}</td><td class="amount">${sumNumber(sum.worth, currency, words)}</td><td class="amount">${numberText(sum.satoshis, words.language)}</td></tr>\n`))}</tbody></table></section>
</details>
<p class="hint">${button === null ? t.counts : t.countsButton}</p>
</section>`;
}
