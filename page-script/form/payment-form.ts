/** The form of an editable button, where the user enters the recipient and the amount (specification, note to R-25). */
import type { RequestedOutput } from '../../protocol/payments/payment.ts';
import { adoptStyle, make } from '../button/elements.ts';
import { AmountField } from './amount-field.ts';
import type { FormKit, FormState } from '../page/parts.ts';
import type { FormTexts } from '../text/texts.ts';
import css from './form.css?inline';
import { ENGLISH } from './texts.ts';

function field(input: HTMLElement): { name: HTMLElement; label: HTMLElement } {
  const name = make('span', {});
  return { name, label: make('label', { part: 'field' }, name, input) };
}

/** The form's fields, which are above the track. */
export class PaymentForm {
  readonly #kit: FormKit;
  readonly #to = make('input', { maxlength: '20000', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' });
  readonly #amountField: AmountField;
  readonly #currency = make('select', {});
  readonly #again = make('button', { type: 'button' });
  readonly #names: readonly [to: HTMLElement, amount: HTMLElement];
  readonly #form: HTMLFormElement;
  #suggested = '';
  #texts: FormTexts | null = null;

  constructor(room: HTMLElement, kit: FormKit) {
    this.#kit = kit;
    this.#amountField = new AmountField((amount) => kit.amountText(amount, this.#currency.value));
    const to = field(this.#to);
    const amount = field(this.#amountField.input);
    amount.label.append(this.#currency);
    this.#names = [to.name, amount.name];
    this.#form = make('form', { part: 'form' }, to.label, amount.label, this.#again, this.#amountField.question);
    this.#form.onsubmit = () => false;
    this.#again.onclick = () => {
      kit.again();
      this.#amountField.input.select();
    };
    this.#to.oninput = () => this.#to.setCustomValidity('');
    room.replaceChildren(this.#form);
    adoptStyle(room.getRootNode() as ShadowRoot, css);
  }

  draw({ to, currency, own, state, texts = ENGLISH }: FormState): void {
    const paid = state === 'done';
    // Each of the page's suggestions fills the form once, and doesn't overwrite what the user enters later.
    const suggested = `${to ?? ''} ${currency}`;
    if (suggested !== this.#suggested) {
      this.#suggested = suggested;
      this.#to.value = to ?? '';
      this.#currency.replaceChildren();
    }
    const offered = [...this.#currency.options].map(({ value }) => value);
    for (const code of new Set([currency, ...(own ? [own] : []), 'USD', 'BSV'])) {
      if (!offered.includes(code)) this.#currency.append(make('option', { value: code }, code));
    }
    if (this.#texts !== texts) {
      this.#texts = texts;
      this.#names[0].textContent = texts.to;
      this.#to.placeholder = texts.toExample;
      this.#names[1].textContent = texts.amount;
      this.#currency.setAttribute('aria-label', texts.currency);
      this.#again.textContent = texts.again;
      this.#amountField.translate(texts.whichAmount);
    }
    for (const input of [this.#to, this.#amountField.input, this.#currency])
      input.disabled = paid || state === 'working' || state === 'disabled';
    this.#again.hidden = !paid;
    this.#form.classList.toggle('paid', paid);
  }

  /** Returns the output to pay, or null after showing an error at the first invalid field. */
  read(): RequestedOutput | null {
    const to = this.#to.value.trim();
    this.#to.setCustomValidity(this.#kit.isRecipient(to) ? '' : this.#texts!.badTo);
    const amount = this.#amountField.read(this.#texts!.badAmount, this.#texts!.whichAmount);
    const valid = [this.#to, this.#amountField.input].every((input) => input.reportValidity());
    return valid ? { to, amount: amount!, currency: this.#currency.value } : null;
  }
}
