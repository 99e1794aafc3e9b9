/** Entry of `dist/button.help.js`, loaded where there is no wallet, or a payment has failed. */
import { HELP_PART } from './help-part.ts';

window.serviceButton?.provide('help', HELP_PART);
