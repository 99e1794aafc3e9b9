/** Objects from outside: a page's options, and replies to its messages. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own fields of an object, none for anything else. Changes of `Object.prototype` by the page have no effect. */
export function ownFields(value: unknown): Readonly<Record<string, unknown>> {
  return { __proto__: null, ...(isRecord(value) && value) };
}
