/** Reads a `<service-button>`'s attributes as the options of a button. */
import { attributeOf, OPTION_NAMES, RULES, type OptionName } from '../options/rules.ts';

/** The short attribute of an option on the element: `opReturn` is `op-return`. */
function shortAttribute(name: OptionName): string {
  return attributeOf(name).slice('data-'.length);
}

/** Every attribute of an option, with `data-` and without. */
export const ATTRIBUTES: readonly string[] = OPTION_NAMES.flatMap((name) => [shortAttribute(name), attributeOf(name)]);

/**
 * An option's value by its attributes, or null. The name without `data-` takes precedence. A boolean attribute is true,
 * as everywhere in HTML, unless its text is `false`.
 */
export function attributeOption(element: Element, name: OptionName): unknown {
  const short = shortAttribute(name);
  const text = element.getAttribute(short) ?? element.getAttribute(attributeOf(name));
  if (RULES[name].type !== 'boolean') return text;
  if (text === '' || text === short || text === 'true') return true;
  return text === 'false' ? false : text;
}
