/** Entry of `dist/button.help.js`: advice for the page's author, costs, missing wallets and errors. */
import { HELP_PART } from './help-part.ts';

window.serviceButton?.provide('help', HELP_PART);
