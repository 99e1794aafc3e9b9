/** The form of a button that lets the visitor choose the amount. The page sets the recipient. */
import { isWithin } from '../../protocol/payments/choice.ts';
import { METADATA } from '../../protocol/payments/metadata.ts';
import type { RequestedOutput } from '../../protocol/payments/payment.ts';
import { adoptStyle, make } from '../button/elements.ts';
import type { ButtonChoice } from '../options/plain.ts';
import type { Chosen, FormKit, FormState } from '../page/parts.ts';
import { fill, type FormTexts } from '../text/texts.ts';
import { AmountField } from './amount-field.ts';
import css from './form.css?inline';
import { ENGLISH } from './texts.ts';

/** The form's fields: presets, a field for any other amount, and a note to the seller. */
export class ChoiceForm {
  readonly #kit: FormKit;
  readonly #presets = make('div', { class: 'presets', role: 'group' });
  readonly #name = make('span', {});
  readonly #unit = make('span', {});
  readonly #amount: AmountField;
  readonly #note = make('input', { maxlength: `${METADATA.payerNote}`, autocomplete: 'off' });
  readonly #again = make('button', { type: 'button' });
  readonly #form: HTMLFormElement;
  /** The chosen preset (a decimal string), or null if the amount field is used. */
  #preset: string | null = null;
  #drawn = '';
  #choice: ButtonChoice = { presets: [], amount: null };
  #output: Pick<RequestedOutput, 'to' | 'currency'> = { to: '', currency: '' };
  #texts: FormTexts = ENGLISH;

  constructor(room: HTMLElement, kit: FormKit) {
    this.#kit = kit;
    this.#amount = new AmountField((amount) => this.#words(amount), kit.changed);
    const { input, question } = this.#amount;
    input.addEventListener('input', () => {
      this.#select(null);
      kit.changed();
    });
    this.#note.oninput = () => kit.changed();
    this.#again.onclick = () => kit.again();
    this.#form = make(
      'form',
      { part: 'form' },
      this.#presets,
      make('label', { part: 'field' }, this.#name, input, this.#unit),
      question,
      make('label', { part: 'field', class: 'wide' }, this.#note),
      this.#again,
    );
    this.#form.onsubmit = () => false;
    room.replaceChildren(this.#form);
    adoptStyle(room.getRootNode() as ShadowRoot, css);
  }

  #words(amount: string): string {
    return this.#kit.amountText(amount, this.#output.currency);
  }

  #select(preset: string | null): void {
    this.#preset = preset;
    for (const button of this.#presets.querySelectorAll('button'))
      button.setAttribute('aria-pressed', `${button.value === preset}`);
  }

  #drawPresets(): void {
    const buttons = this.#choice.presets.map((preset) => {
      const button = make('button', { type: 'button', part: 'preset', value: preset }, this.#words(preset));
      button.onclick = () => {
        this.#amount.clear();
        this.#select(preset);
        this.#kit.changed();
      };
      return button;
    });
    this.#presets.replaceChildren(...buttons);
    this.#presets.hidden = !buttons[0];
    this.#select(this.#choice.presets.find((preset) => preset === this.#preset) ?? null);
  }

  draw({ to, currency, state, texts = ENGLISH, choice = this.#choice }: FormState): void {
    const paid = state === 'done';
    const drawn = JSON.stringify([choice, to, currency, texts.amount]);
    if (this.#drawn !== drawn) {
      const suggested = choice.amount !== this.#choice.amount ? choice.amount : null;
      this.#drawn = drawn;
      this.#choice = choice;
      this.#output = { to: to ?? '', currency };
      this.#texts = texts;
      this.#drawPresets();
      const hasPresets = choice.presets.length > 0;
      this.#presets.setAttribute('aria-label', texts.amount);
      this.#name.textContent = hasPresets ? texts.otherAmount : texts.amount;
      this.#unit.textContent = currency;
      this.#note.placeholder = texts.note;
      this.#note.setAttribute('aria-label', texts.note);
      this.#again.textContent = texts.again;
      this.#amount.translate(texts.whichAmount);
      if (suggested !== null) {
        if (choice.presets.includes(suggested)) this.#select(suggested);
        else this.#amount.fill(suggested);
        // Deferred because the button reads this form when it draws.
        queueMicrotask(this.#kit.changed);
      }
    }
    const isLocked = paid || state === 'working' || state === 'disabled';
    for (const one of [this.#amount.input, this.#note, ...this.#presets.querySelectorAll('button')])
      one.disabled = isLocked;
    this.#again.hidden = !paid;
    this.#form.classList.toggle('paid', paid);
  }

  chosen(): Chosen {
    const amount = this.#preset ?? this.#amount.amount();
    return { amount: amount !== null && isWithin(amount, this.#choice) ? amount : null, note: this.#note.value.trim() };
  }

  /** Returns the output to pay, or null after showing an error at the amount field. */
  read(): RequestedOutput | null {
    const { amount } = this.chosen();
    if (amount !== null) return { ...this.#output, amount };
    const { min, max } = this.#choice;
    const bounds = { min: min === undefined ? '' : this.#words(min), max: max === undefined ? '' : this.#words(max) };
    const { between, least, most, choose } = this.#texts;
    const problem = fill(bounds.min && bounds.max ? between : bounds.min ? least : bounds.max ? most : choose, bounds);
    this.#amount.read(problem, this.#texts.whichAmount, () => false);
    this.#amount.input.reportValidity();
    return null;
  }
}
