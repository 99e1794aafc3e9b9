/** Entry of `dist/button.options.js`: reads options that ordinary buttons don't have, and makes automatic payments. */
import { OPTIONS_PART } from './options-part.ts';

window.serviceButton?.provide('options', OPTIONS_PART);
