/** Formats a value for comparisons across JavaScript realms. Different values result in different text. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${Array.from(value, show).join(', ')}]`;
  if (value instanceof Date) return `Date(${value.getTime()})`;
  if (value instanceof Uint8Array) return `bytes(${value.join(' ')})`;
  if (value instanceof Map) return `Map${show([...value])}`;
  return `{${Object.entries(value)
    .map(([name, one]) => `${name}: ${show(one)}`)
    .join(', ')}}`;
}
