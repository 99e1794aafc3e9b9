/** Entry of `dist/button.form.js`: the form of editable buttons, loaded by the first of them. */
import { PaymentForm } from './payment-form.ts';

window.serviceButton?.provide('form', {
  create: (...given: ConstructorParameters<typeof PaymentForm>) => new PaymentForm(...given),
});
