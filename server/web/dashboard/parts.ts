/** HTML fragments shared by the account pages. */
import { logoPath } from '../../applications/logo.ts';
import type { Application } from '../../applications/store.ts';
import { isRightToLeft } from '../../../protocol/catalog.ts';
import type { PaymentStatus } from '../../../protocol/payments/payment.ts';
import type { NetworkStanding, TokenValidity } from '../../../protocol/payments/payment-types.ts';
import { dayText, minuteText, moneyText, numberText, type Written } from '../../page/figures.ts';
import type { Words } from '../../page/page-locale.ts';
import { isAssetName } from '../../../protocol/assets/asset-name.ts';
import { isSiteAddress } from '../../../protocol/text/web-address.ts';
import type { Problems } from '../../http/problems.ts';
import type { PaidToken } from '../../payments/token.ts';
import { rounded, shownWorthOf, type Valued } from '../../payments/worth.ts';
import { FORM_TOKEN, type Fields } from '../form.ts';
import { html, type Html } from '../../page/html.ts';
import type { Viewer } from '../../page/layout.ts';
import type { Flash } from './flash.ts';

/** Renders a time in UTC, which the browser converts to its own time zone (assets/account.js). */
export const moment = (at: Date, { language }: Words): Html =>
  html`<time datetime="${at.toISOString()}">${minuteText(at, language)} UTC</time>`;

export const day = (at: Date, { language }: Words): Html =>
  html`<time datetime="${at.toISOString()}">${dayText(at, language)}</time>`;

export const plainDay = (text: string, { language }: Words) => dayText(Date.parse(`${text}T00:00:00Z`), language);

export const backLink = (path: string, name: Html | string, { language }: Words): Html =>
  html`<a class="link" href="${path}">${isRightToLeft(language) ? '→' : '←'} ${name}</a>`;

/** Renders an application's logo, or null. Hidden from screen readers, because the name is next to the logo. */
export function logoOf(application: Pick<Application, 'id' | 'logo'>): Html | null {
  const path = logoPath(application);
  return path === null ? null : html`<img class="app-logo" src="${path}" alt="" width="48" height="48">`;
}

/** Isolates a user-chosen name so that it can't change the direction of the text around it. */
export const named = (name: string) => html`<bdi>${name}</bdi>`;

/** Renders a site's URL: as a link if it is https or on this machine, otherwise as text. */
export function siteLink(url: string): Html {
  return isSiteAddress(url)
    ? html`<a class="link anywhere" href="${url}" rel="noopener noreferrer nofollow">${url}</a>`
    : html`<span class="anywhere">${url}</span>`;
}

/** Formats satoshis in groups of three digits. */
export const satoshisText = (satoshis: bigint, { texts }: Words) => texts.account.satoshis({ count: satoshis });

const money = (amount: string, currency: string, { language }: Words) =>
  moneyText(numberText(amount as Written, language), currency, language);

/** Formats the amount paid: in the payment's currency at this service's rate, otherwise in USD, otherwise in BSV. */
export function movedText(
  satoshis: bigint,
  payment: Valued & Partial<Moved> & { usdRate: string | null },
  words: Words,
): string {
  if (isAssetName(payment.currency)) return assetText(payment, words);
  const { amount, currency } = shownWorthOf(satoshis, payment);
  return money(currency === 'BSV' ? amount : rounded(amount), currency, words);
}

interface Moved extends PaidToken {
  amount: string;
  tokenUnits: bigint | null;
}

/**
 * Formats an amount of an asset under its name at this service. Without such an asset, formats the smallest units with
 * a shortened token ID, because the name is only the payer's claim.
 */
function assetText(
  { amount = '', currency, tokenId = null, assetId = null, tokenUnits = null }: Partial<Moved> & { currency: string },
  { language, texts }: Words,
): string {
  const short = (name: string) => (/^[\da-f]{64}_|^[\da-f]{8}-/.test(name) ? `${name.slice(0, 8)}…` : name);
  const number = (text: string) => numberText(text as Written, language);
  if (assetId === null && tokenId !== null)
    return `\u2068${texts.account.payment.tokenUnits({ units: number(String(tokenUnits ?? 0n)) })} ${short(tokenId)}\u2069`;
  return `\u2068${number(amount)} ${short(currency)}\u2069`;
}

/** Returns the CSS class for an amount. Money doesn't wrap, but asset names can be too long for one line. */
export const amountClass = (currency: string) => (isAssetName(currency) ? 'anywhere' : 'amount');

/** Renders the satoshis paid, or null for an asset payment, in which they only carry the asset. */
export const movedSatoshis = (satoshis: bigint, { currency }: Pick<Valued, 'currency'>, words: Words): Html | null =>
  isAssetName(currency) ? null : html`<span class="list-note amount">${satoshisText(satoshis, words)}</span>`;

export const tokenBadge = ({ tokenValidity }: { tokenValidity: TokenValidity | null }, { texts }: Words) =>
  tokenValidity &&
  html` <span class="badge ${TOKEN_BADGES[tokenValidity]}">${texts.account.payment.tokenValidity[tokenValidity].name}</span>`;

/** Formats the sender's stated amount without rounding. Truncates unreasonably long amounts. */
export const claimedText = (amount: string, currency: string, { language }: Words) =>
  moneyText(amount.length > 20 ? `${amount.slice(0, 20)}…` : amount, currency, language);

const BADGES: Record<PaymentStatus, string> = {
  PENDING: '',
  RECEIVED: 'badge-accent',
  COMPLETED: 'badge-success',
  FAILED: 'badge-danger',
};
const TOKEN_BADGES: Record<TokenValidity, string> = {
  unverified: 'badge-warning',
  valid: 'badge-success',
  invalid: 'badge-danger',
  unknown: 'badge-warning',
};
export const statusBadge = (status: PaymentStatus, { texts }: Words) =>
  html`<span class="badge ${BADGES[status]}">${texts.account.statuses[status].name}</span>`;

/** Renders a badge if a payment is pending and the network doesn't confirm it. */
export const networkBadge = (
  { status, network }: { status: PaymentStatus; network: NetworkStanding },
  { texts }: Words,
) =>
  status === 'RECEIVED' &&
  network !== 'seen' &&
  html` <span class="badge badge-danger">${texts.account.contested.names[network]}</span>`;

/** Renders a badge if a payment is a refund or was refunded. */
export function refundBadge(
  {
    satoshis,
    refundSatoshis,
    refundedSatoshis,
  }: {
    satoshis: bigint;
    refundSatoshis: bigint | null;
    refundedSatoshis: bigint;
  },
  { texts: { account: t } }: Words,
): Html | null {
  if (refundSatoshis !== null) return html` <span class="badge">${t.refund}</span>`;
  if (refundedSatoshis === 0n) return null;
  return html` <span class="badge">${refundedSatoshis < satoshis ? t.partlyRefunded : t.refunded}</span>`;
}

/** Translates an English sentence to the page's language, or returns it unchanged if there is no translation. */
export const translated = (sentence: string, table: Readonly<Record<string, string>>) =>
  Object.hasOwn(table, sentence) ? (table[sentence] ?? sentence) : sentence;

/** Renders the notice that the previous form submission succeeded. */
export function noticeBanner({ flash, words: { texts } }: { flash: Flash | null; words: Words }): Html | null {
  return flash && html`<p class="banner banner-success" role="status">${texts.account.notices[flash.notice]}</p>`;
}

export const formToken = (viewer: Viewer) =>
  html`<input type="hidden" name="${FORM_TOKEN}" value="${viewer.formToken}">`;

/**
 * Renders a form's errors at its top, focused so that screen readers start there.
 * @param labels the labels of the fields that errors link to
 */
export function problemBanner(
  problems: Problems | null,
  { texts: { account } }: Words,
  labels: Fields = {},
): Html | null {
  if (problems === null) return null;
  const lines = Object.entries(problems).map(([name, problem]) => {
    const label = labels[name];
    return label === undefined
      ? html`<li>${problem !== undefined && translated(problem, account.problems)}</li>`
      : html`<li>${account.form.check({ field: html`<a class="link" href="#${name}">${label}</a>` })}</li>`;
  });
  return html`<div class="banner banner-danger" role="alert" tabindex="-1" autofocus>
<p class="banner-title">${account.form.nothingSaved}</p>
<ul>${lines}</ul>
</div>`;
}

export interface FieldOptions {
  name: string;
  label: string;
  hint?: string;
  most: number;
  required?: boolean;
  type?: 'text' | 'url';
  autocomplete?: string;
  rows?: number;
}

/** A form's values and errors, and the page's text. */
export interface FormState {
  words: Words;
  values: Fields;
  problems: Problems | null;
}

export function field(
  { name, label, hint, most, required = false, type = 'text', autocomplete = 'off', rows }: FieldOptions,
  { values, problems, words: { texts } }: FormState,
): Html {
  const said = problems?.[name];
  const problem = said === undefined ? undefined : translated(said, texts.account.problems);
  const described = [hint !== undefined && `${name}-hint`, problem !== undefined && `${name}-problem`]
    .filter(Boolean)
    .join(' ');
  const common = html`class="input" id="${name}" name="${name}" maxlength="${most}" autocomplete="${autocomplete}"${required && html` required`}${described !== '' && html` aria-describedby="${described}"`}${problem !== undefined && html` aria-invalid="true"`}`;
  return html`<div class="field">
<label class="label" for="${name}">${label}${!required && html` <span class="muted optional">${texts.account.form.optional}</span>`}</label>
${
  rows === undefined
    ? html`<input ${common} type="${type}" value="${values[name] ?? ''}">`
    : html`<textarea ${common} rows="${rows}">
${values[name] ?? ''}</textarea>`
}
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${problem !== undefined && html`<p class="field-error" id="${name}-problem">${problem}</p>`}
</div>`;
}

/** Renders a checkbox, whose field is `yes` if checked. */
export function tickBox(
  { name, label, hint }: { name: string; label: Html | string; hint: string },
  { values }: Pick<FormState, 'values'>,
): Html {
  return html`<label class="choice"><input type="checkbox" name="${name}" value="yes"${values[name] === 'yes' && html` checked`}><span class="choice-text"><span class="label">${label}</span><span class="hint">${hint}</span></span></label>`;
}
