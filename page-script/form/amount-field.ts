/** An amount field that asks the user to clarify ambiguous input. */
import { amountReadings, fieldText, typedAmount } from '../../protocol/money/typed-amount.ts';
import { make } from '../button/elements.ts';

/** The input field, and the question that appears below it. */
export class AmountField {
  readonly input = make('input', { maxlength: '40', autocomplete: 'off', inputmode: 'decimal' });
  readonly #title = make('span', { role: 'alert' });
  readonly question = make('div', { part: 'question', role: 'group' }, this.#title);

  /** @param words formats an amount @param chosen called when the user has answered the question */
  constructor(words: (amount: string) => string, chosen: () => void = () => {}) {
    this.question.hidden = true;
    this.input.addEventListener('input', () => {
      this.input.setCustomValidity('');
      this.question.hidden = true;
    });
    this.input.addEventListener('change', () => this.#ask(words, chosen));
  }

  translate(title: string): void {
    if (this.#title.textContent !== title) this.#title.textContent = title;
    this.question.setAttribute('aria-label', title);
  }

  #ask(words: (amount: string) => string, chosen: () => void): void {
    const readings = amountReadings(this.input.value);
    this.question.hidden = readings.length < 2;
    if (this.question.hidden) return;
    const choices = readings.map((reading) => {
      const button = make('button', { type: 'button' }, words(reading));
      button.onclick = () => {
        this.input.value = fieldText(reading);
        this.input.dispatchEvent(new Event('input'));
        chosen();
        this.input.focus();
      };
      return button;
    });
    this.question.replaceChildren(this.#title, ...choices);
  }

  clear(): void {
    this.fill('');
  }

  fill(amount: string): void {
    this.input.value = fieldText(amount);
    this.input.setCustomValidity('');
    this.question.hidden = true;
  }

  /** Returns the amount, or null if the input is invalid or ambiguous. */
  amount(): string | null {
    return typedAmount(this.input.value);
  }

  /** Returns the amount, or null after showing an error. `problem` is the message below the field. */
  read(problem: string, question: string, isValid: (amount: string) => boolean = () => true): string | null {
    const typed = this.amount();
    const amount = typed !== null && isValid(typed) ? typed : null;
    this.input.setCustomValidity(amount ? '' : amountReadings(this.input.value).length > 1 ? question : problem);
    this.input.dispatchEvent(new Event('change'));
    return amount;
  }
}
