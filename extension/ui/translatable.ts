/**
 * Texts that have a translation: English stands in the code, and a language's texts are laid over it in place, so that
 * components read plain objects.
 */

/** The type of a translation of `T`: any string for a string, any function of the same parameters for a function. */
type Widened<T> = T extends string
  ? string
  : T extends (...given: infer G) => string
    ? (...given: G) => string
    : { readonly [K in keyof T]: Widened<T[K]> };

/** The areas that texts are kept in: a module each. */
type Area =
  | 'activity'
  | 'allowance'
  | 'appData'
  | 'approval'
  | 'assets'
  | 'connected'
  | 'contacts'
  | 'errors'
  | 'mint'
  | 'onboarding'
  | 'operations'
  | 'otherWallets'
  | 'passkey'
  | 'permissions'
  | 'recipient'
  | 'scan'
  | 'secrets'
  | 'send'
  | 'service'
  | 'settings'
  | 'shortcuts'
  | 'signIn'
  | 'siteAccess'
  | 'swipes'
  | 'texts';

const areas = new Map<Area, object>();

/** The texts by area: in English until {@link overlayTexts}. */
export const textsByArea: ReadonlyMap<string, object> = areas;

/** Makes the texts of one area translatable: loading a language replaces them in place. */
export function translatable<const T extends object>(area: Area, english: T): Widened<T> {
  areas.set(area, english);
  return english as unknown as Widened<T>;
}

/** Replaces the English texts with a language's; a text that it lacks stays English. */
export function overlayTexts(translation: Partial<Record<Area, object>>): void {
  for (const [area, english] of areas) overlay(english, translation[area] ?? {});
}

function overlay(under: object, over: object): void {
  for (const [key, value] of Object.entries(over)) {
    const below: unknown = Reflect.get(under, key);
    if (typeof value === 'object' && typeof below === 'object' && below !== null) overlay(below, value as object);
    else Reflect.set(under, key, value);
  }
}
