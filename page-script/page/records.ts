/** Reads objects that come from the page, such as options and replies to messages. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object's own fields, or no fields for anything else. Ignores the page's changes to `Object.prototype`. */
export function ownFields(value: unknown): Readonly<Record<string, unknown>> {
  return { __proto__: null, ...(isRecord(value) && value) };
}
