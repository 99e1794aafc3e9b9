/** Entry point for `dist/button.help.js`: advice for the page's author, costs, and help for visitors who can't pay. */
import { HELP_PART } from './help-part.ts';

window.serviceButton?.provide('help', HELP_PART);
