/** Warns the page's author in the console about ignored, contradictory and missing options. */
import { lostName } from '../page/callbacks.ts';
import { attributeOf } from '../options/notation.ts';
import type { Configuration } from '../options/plain.ts';
import type { HelpPart } from '../page/parts.ts';
import { closestName } from './closest-name.ts';

const told = new WeakMap<HTMLElement, Set<string>>();

function tell(level: 'warn' | 'error', host: HTMLElement, message: string): void {
  const before = told.get(host) ?? new Set();
  if (before.has(message)) return;
  told.set(host, before.add(message));
  console[level](`[service-button] ${message}`, host);
}

const OWN = new Set(['data-state', 'data-reason']);

/** The attributes of all options, cached for pages with many buttons. */
let attributes: readonly string[] | undefined;

/** Returns the misspelled attributes, each with the intended option. `<service-button>` also has short attributes. */
function misspelledIn(host: HTMLElement, names: readonly string[]): [string, string][] {
  const ours = (attributes ??= names.map(attributeOf));
  const isElement = host.localName.includes('-');
  return host.getAttributeNames().flatMap((name): [string, string][] => {
    const short = name.replace(/^data-/, '');
    const isData = short !== name;
    if (OWN.has(name) || (ours.includes(`data-${short}`) && (isData || isElement))) return [];
    const exact = (one: string) => one.slice(5).replaceAll('-', '') === short.replaceAll(/[-_]/g, '');
    const meant =
      isData || isElement
        ? closestName(
            short,
            ours.map((one) => one.slice(5)),
          )
        : ours.find(exact)?.slice(5);
    return meant ? [[name, isData || !isElement ? `data-${meant}` : meant]] : [];
  });
}

/** Explains how to define a function so that the button finds it by name. */
function remedyFor(name: string): string {
  const plain = name.replace(/\(.*/, '').trim();
  if (plain !== name.trim()) return `Write the name alone: "${plain}".`;
  if (!/^[\w$]+$/.test(plain)) return `Set window.${plain} in a script of the page.`;
  return `Functions in <script type="module">, and those in const or let, are not on the window. Publish it: window.${plain} = ${plain}.`;
}

function reportLost(host: HTMLElement, current: () => Configuration | null): void {
  // Deferred scripts and module scripts might still define the functions.
  if (document.readyState !== 'complete')
    return window.addEventListener('load', () => reportLost(host, current), { once: true });
  const options = current()?.options;
  if (!options || options.devMode) return;
  for (const option of ['onPayment', 'onCryptoOperations', 'onError', 'onLoad'] as const) {
    const name = lostName(options[option]);
    if (name !== undefined)
      tell(
        'error',
        host,
        `missing-function: ${attributeOf(option)}="${name}": the window has no such function. ${remedyFor(name)}`,
      );
  }
}

/** Reports options that contradict each other, and the one that takes effect. */
function reportContradictions(host: HTMLElement, given: Readonly<Record<string, unknown>>, read: Configuration): void {
  const isGiven = (name: string) => given[name] !== null && given[name] !== undefined && given[name] !== '';
  if (read.options.editable)
    for (const name of ['amount', 'outputs'].filter(isGiven))
      tell(
        'warn',
        host,
        `${attributeOf(name)} is ignored, because data-editable applies: the visitor enters recipient and amount. Remove one of them.`,
      );
  if (read.payment.outputs.length > 1 && host.dataset.state === 'no-wallet')
    tell(
      'warn',
      host,
      'data-outputs has several recipients, so there is no QR code for phones: it can name only one. The wallet pays them all.',
    );
}

/** Writes warnings about ignored, contradictory and missing options to the console. */
export const advise: HelpPart['advise'] = (host, given, names, current) => {
  for (const [name, meant] of misspelledIn(host, names))
    tell('warn', host, `${name}="${host.getAttribute(name)!.slice(0, 60)}" is ignored: did you mean ${meant}?`);
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    const meant = closestName(name, names);
    tell('warn', host, `the option "${name}" is unknown and ignored${meant ? `: did you mean "${meant}"?` : '.'}`);
  }
  const read = current();
  if (read) reportContradictions(host, given, read);
  reportLost(host, current);
};
