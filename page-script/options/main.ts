/** Entry point for `dist/button.options.js`: reads unusual options, and makes automatic payments. */
import { OPTIONS_PART } from './options-part.ts';

window.serviceButton?.provide('options', OPTIONS_PART);
