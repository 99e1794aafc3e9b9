/** Finds the option that a misspelled name probably means. */

/** Normalizes a name for comparison, ignoring case and separators. */
const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '');
/** Like {@link lettersOf}, but also merges doubled letters. */
const squashed = (name: string) => lettersOf(name).replaceAll(/(.)\1+/g, '$1');

/** Counts the edits between two strings: letters inserted, omitted, replaced, or swapped with their neighbor. */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}

/** Maximum length of compared names, because the running time grows with the length. */
const MAX_NAME_CHARS = 40;

/**
 * Returns the maximum number of edits for an option name. Short names allow none, because an attribute such as `time`
 * is probably the page's own.
 */
const editsAllowed = (letters: number) => (letters < 5 ? 0 : letters < 8 ? 1 : 2);

/** True if a four-letter name was written with two letters swapped, one missing or one added. */
function isShortSlip(ours: string, name: string): boolean {
  const sorted = (text: string) => [...text].toSorted().join('');
  const isAnagram = sorted(ours) === sorted(name);
  return ours.length === 4 && (isAnagram || ours.length !== name.length) && editsBetween(ours, name) <= 1;
}

export function closestName<N extends string>(name: string, ours: readonly N[]): N | undefined {
  if (name.length > MAX_NAME_CHARS) return undefined;
  const given = squashed(name);
  const begun = ours.filter((one) => name.length >= 6 && squashed(one).startsWith(given));
  const close = ours
    .map((one) => {
      const edits = Math.min(editsBetween(given, squashed(one)), editsBetween(lettersOf(name), lettersOf(one)));
      return [edits, one] as const;
    })
    .filter(([edits, one]) => edits <= editsAllowed(squashed(one).length) || isShortSlip(squashed(one), given))
    .toSorted(([a], [b]) => a - b);
  return close[0]?.[1] ?? (begun.length === 1 ? begun[0] : undefined);
}
