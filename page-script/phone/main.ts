/** Entry of `dist/button.phone.js`: the panel for paying by phone, loaded when somebody asks for it. */
import { PAYMENT_PANEL } from './panel.ts';

window.serviceButton?.provide('phone', PAYMENT_PANEL);
