/** Entry of `dist/button.form.js`: the forms of buttons that take input, loaded by the first of them. */
import { ChoiceForm } from './choice-form.ts';
import { PaymentForm } from './payment-form.ts';

window.serviceButton?.provide('form', {
  create: (...given: ConstructorParameters<typeof PaymentForm>) => new PaymentForm(...given),
  createChoice: (...given: ConstructorParameters<typeof ChoiceForm>) => new ChoiceForm(...given),
});
