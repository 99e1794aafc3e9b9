/** Entry of `dist/button.help.js`, loaded on need: for the page's author, what a payment costs, no wallet, a payment that has failed. */
import { HELP_PART } from './help-part.ts';

window.serviceButton?.provide('help', HELP_PART);
