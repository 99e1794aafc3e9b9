/** Objects from outside: a page's options, the replies to its messages. */

/** True for an object that is no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own fields of an object, none for anything else: changes of `Object.prototype` by the page have no effect. */
export function ownFields(value: unknown): Readonly<Record<string, unknown>> {
  return { __proto__: null, ...(isRecord(value) && value) };
}
