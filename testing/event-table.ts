/** Parses tables of events and states in documents so that tests can compare them with the code. */
import { readFileSync } from 'node:fs';

const cellsOf = (row: string) =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/**
 * Returns a document's table with these columns: the event, its meaning, and the given states.
 * @param file relative to the repository's root
 */
export function eventTable(
  file: string,
  states: readonly string[],
): { events: [name: string, meaning: string][]; next: (event: string, state: string) => string[] } {
  const head = `| event | meaning | ${states.map((state) => `\`${state}\``).join(' | ')} |`;
  const table = readFileSync(file, 'utf8')
    .split('\n\n')
    .find((part) => part.startsWith(`${head}\n`));
  if (!table) throw new Error(`${file} has no table "${head}"`);
  const rows = table.trimEnd().split('\n').slice(2).map(cellsOf);
  return {
    events: rows.map(([event = '', meaning = '']) => [event.slice(1, -1), meaning]),
    next: (event, state) => {
      const cell = rows.find(([name]) => name === `\`${event}\``)?.[2 + states.indexOf(state)] ?? '';
      return cell.startsWith('`') ? [...cell.matchAll(/`([\w-]+)`/g)].map(([, next = '']) => next) : cell ? [cell] : [];
    },
  };
}
