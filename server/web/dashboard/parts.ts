/** Pieces that the pages of an account share. */
import { logoPath } from '../../applications/logo.ts';
import type { Application } from '../../applications/store.ts';
import type { PaymentStatus } from '../../../protocol/payment.ts';
import { decimalText, satoshisToBsv } from '../../../protocol/money.ts';
import { isSiteAddress } from '../../../protocol/web-address.ts';
import type { Problems } from '../../http/problems.ts';
import { atRate, worthOf, type Valued } from '../../payments/worth.ts';
import { FORM_TOKEN, type Fields } from '../form.ts';
import { html, type Html } from '../../page/html.ts';
import type { Viewer } from '../../page/layout.ts';
import { NOTICES, type Flash } from './flash.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (number: number) => String(number).padStart(2, '0');

/** A moment in UTC, which the browser shows in its own time zone (assets/account.js). */
export function moment(at: Date): Html {
  const text = `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}, ${two(at.getUTCHours())}:${two(at.getUTCMinutes())} UTC`;
  return html`<time datetime="${at.toISOString()}">${text}</time>`;
}

/** A day. */
export function day(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}</time>`;
}

/** A day of the calendar, `2026-03-01`, in words. */
export const plainDay = (text: string) =>
  `${Number(text.slice(8, 10))} ${MONTHS[Number(text.slice(5, 7)) - 1]} ${text.slice(0, 4)}`;

/** An application's logo, which says nothing that its name beside it does not say; null where it has none. */
export function logoOf(application: Pick<Application, 'id' | 'logo'>): Html | null {
  const path = logoPath(application);
  return path === null ? null : html`<img class="app-logo" src="${path}" alt="" width="48" height="48">`;
}

/** A user-chosen name, isolated so that it cannot reverse the text around it. */
export const named = (name: string) => html`<bdi>${name}</bdi>`;

/**
 * The address of a site: a link where it is https or on this machine, and nothing but text where it is anything else.
 */
export function siteLink(url: string): Html {
  return isSiteAddress(url)
    ? html`<a class="link anywhere" href="${url}" rel="noopener noreferrer nofollow">${url}</a>`
    : html`<span class="anywhere">${url}</span>`;
}

/** Satoshis, in groups of three digits. */
export const satoshisText = (satoshis: bigint) =>
  `${satoshis.toLocaleString('en')} ${satoshis === 1n ? 'satoshi' : 'satoshis'}`;

/**
 * What moved, first of all: in the payment's currency at this service's own rate, else in dollars, else in BSV. The
 * sender's stated amount follows.
 */
export function movedText(satoshis: bigint, payment: Valued & { usdRate: string | null }): string {
  const { currency, usdRate } = payment;
  const worth = worthOf(satoshis, payment);
  if (worth !== null) return `${currency === 'BSV' ? worth : rounded(worth)} ${currency}`;
  return usdRate === null ? `${satoshisToBsv(satoshis)} BSV` : `${rounded(atRate(satoshis, usdRate))} USD`;
}

/** Two digits behind the point are enough, where they say something. */
export function rounded(amount: string): string {
  const short = decimalOf(amount, 2);
  return /^[0.]+$/.test(short) ? amount : short;
}

/** Half up. @param amount decimal text with at least so many digits behind the point */
function decimalOf(amount: string, digits: number): string {
  const [whole = '0', part = ''] = amount.split('.');
  const up = Number(part[digits] ?? '0') >= 5 ? 1n : 0n;
  return decimalText(BigInt(whole + part.slice(0, digits).padEnd(digits, '0')) + up, digits);
}

/** An amount that somebody says, shortened where it is senselessly long. */
export const shortAmount = (amount: string) => (amount.length > 20 ? `${amount.slice(0, 20)}…` : amount);

const STATUSES: Record<PaymentStatus, { name: string; badge: string; text: string }> = {
  PENDING: { name: 'Pending', badge: '', text: 'It isn’t signed yet.' },
  RECEIVED: { name: 'On its way', badge: 'badge-accent', text: 'The network has it. It isn’t in a block yet.' },
  COMPLETED: { name: 'Confirmed', badge: 'badge-success', text: 'It’s in a block and can’t be reversed.' },
  FAILED: { name: 'Failed', badge: 'badge-danger', text: 'The network rejected it.' },
};
/** A status in words. */
export const statusName = (status: PaymentStatus) => STATUSES[status].name;
/** What a status means, in a sentence. */
export const statusText = (status: PaymentStatus) => STATUSES[status].text;
/** A status as a badge. */
export const statusBadge = (status: PaymentStatus) =>
  html`<span class="badge ${STATUSES[status].badge}">${STATUSES[status].name}</span>`;

/** A badge where a payment is a refund of another one, or was given back itself. */
export function refundBadge({
  satoshis,
  refundSatoshis,
  refundedSatoshis,
}: {
  satoshis: bigint;
  refundSatoshis: bigint | null;
  refundedSatoshis: bigint;
}): Html | null {
  if (refundSatoshis !== null) return html` <span class="badge">Refund</span>`;
  if (refundedSatoshis === 0n) return null;
  return html` <span class="badge">${refundedSatoshis < satoshis ? 'Partly refunded' : 'Refunded'}</span>`;
}

/** What the form before has led to. */
export function noticeBanner(flash: Flash | null): Html | null {
  return flash && html`<p class="banner banner-success" role="status">${NOTICES[flash.notice]}</p>`;
}

/** The hidden field by which a form is known as this session's. */
export const formToken = (viewer: Viewer) =>
  html`<input type="hidden" name="${FORM_TOKEN}" value="${viewer.formToken}">`;

/**
 * The errors at the top of a form that is shown again; it has the focus, so that it is read first.
 * @param labels of the fields that have their problem beside them: the banner leads there
 */
export function problemBanner(problems: Problems | null, labels: Fields = {}): Html | null {
  if (problems === null) return null;
  const lines = Object.entries(problems).map(([name, problem]) => {
    const label = labels[name];
    return label === undefined
      ? html`<li>${problem}</li>`
      : html`<li>Check <a class="link" href="#${name}">${label}</a>.</li>`;
  });
  return html`<div class="banner banner-danger" role="alert" tabindex="-1" autofocus>
<p class="banner-title">Nothing has been saved yet</p>
<ul>${lines}</ul>
</div>`;
}

/** A field of a form. */
export interface FieldOptions {
  name: string;
  label: string;
  hint?: string;
  /** Most characters. */
  most: number;
  required?: boolean;
  type?: 'text' | 'url';
  autocomplete?: string;
  rows?: number;
}

/** A form's values and what is wrong with them. */
export interface FormState {
  values: Fields;
  problems: Problems | null;
}

/** One field with its label, hint and problem. */
export function field(
  { name, label, hint, most, required = false, type = 'text', autocomplete = 'off', rows }: FieldOptions,
  { values, problems }: FormState,
): Html {
  const problem = problems?.[name];
  const described = [hint !== undefined && `${name}-hint`, problem !== undefined && `${name}-problem`]
    .filter(Boolean)
    .join(' ');
  const common = html`class="input" id="${name}" name="${name}" maxlength="${most}" autocomplete="${autocomplete}"${required && html` required`}${described !== '' && html` aria-describedby="${described}"`}${problem !== undefined && html` aria-invalid="true"`}`;
  return html`<div class="field">
<label class="label" for="${name}">${label}${!required && html` <span class="muted optional">(optional)</span>`}</label>
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

/** A box to tick; its field is `yes` where it is ticked. */
export function tickBox(
  { name, label, hint }: { name: string; label: string; hint: string },
  { values }: FormState,
): Html {
  return html`<label class="choice"><input type="checkbox" name="${name}" value="yes"${values[name] === 'yes' && html` checked`}><span class="choice-text"><span class="label">${label}</span><span class="hint">${hint}</span></span></label>`;
}
