/** Console messages for the page's author about callbacks that aren't there. */
import { lostName } from '../callbacks.ts';
import type { HelpPart } from '../parts.ts';

/** Options by their attributes. */
const CALLBACKS = {
  'data-on-payment': 'onPayment',
  'data-on-crypto-operations': 'onCryptoOperations',
  'data-on-error': 'onError',
  'data-on-load': 'onLoad',
} as const;

/** How to put a function where its name is looked up. */
function remedyFor(name: string): string {
  const plain = name.replace(/\(.*/, '').trim();
  if (plain !== name.trim()) return `Write the name alone: "${plain}".`;
  if (!/^[\w$]+$/.test(plain)) return `Set window.${plain} in a script of the page.`;
  return `Functions in <script type="module">, and those in const or let, are not on the window. Publish it: window.${plain} = ${plain}.`;
}

/** See {@link HelpPart}. */
export const reportLost: HelpPart['reportLost'] = (current, host) => {
  // Deferred and module scripts may still define them.
  if (document.readyState !== 'complete')
    return window.addEventListener('load', () => reportLost(current, host), { once: true });
  const options = current();
  if (!options) return;
  for (const [attribute, option] of Object.entries(CALLBACKS)) {
    const name = lostName(options[option]);
    if (name !== undefined)
      console.error(
        `[service-button] missing-function: ${attribute}="${name}": the window has no such function. ${remedyFor(name)}`,
        host,
      );
  }
};
