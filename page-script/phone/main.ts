/** Entry point for `dist/button.phone.js`: the panel for paying by phone, loaded on demand. */
import { PAYMENT_PANEL } from './panel.ts';

window.serviceButton?.provide('phone', PAYMENT_PANEL);
