/** Reads a `<service-button>`'s attributes as the options of a button. */
import { attributeOf, OPTION_NAMES, RULES, type OptionName } from '../options/rules.ts';

/** Returns an option's short attribute on the element: `op-return` for `opReturn`. */
function shortAttribute(name: OptionName): string {
  return attributeOf(name).slice('data-'.length);
}

/** The attributes of all options, with `data-` and without. */
export const ATTRIBUTES: readonly string[] = OPTION_NAMES.flatMap((name) => [shortAttribute(name), attributeOf(name)]);

/**
 * Returns an option's value from its attributes, or null if there is none. If both exist, the attribute without `data-`
 * takes precedence. A boolean attribute is true, as in HTML, unless its value is `false`.
 */
export function attributeOption(element: Element, name: OptionName): unknown {
  const short = shortAttribute(name);
  const text = element.getAttribute(short) ?? element.getAttribute(attributeOf(name));
  if (RULES[name].type !== 'boolean') return text;
  if (text === '' || text === short || text === 'true') return true;
  return text === 'false' ? false : text;
}
