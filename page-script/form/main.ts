/** Entry point for `dist/button.form.js`: the forms of buttons with input fields, loaded by the first such button. */
import { ChoiceForm } from './choice-form.ts';
import { PaymentForm } from './payment-form.ts';

window.serviceButton?.provide('form', {
  create: (...given: ConstructorParameters<typeof PaymentForm>) => new PaymentForm(...given),
  createChoice: (...given: ConstructorParameters<typeof ChoiceForm>) => new ChoiceForm(...given),
});
