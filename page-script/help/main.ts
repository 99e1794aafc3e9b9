/** Entry of `dist/button.help.js`: advice for the page's author, costs, and help if there is no wallet or an error. */
import { HELP_PART } from './help-part.ts';

window.serviceButton?.provide('help', HELP_PART);
