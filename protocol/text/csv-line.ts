/**
 * Formats comma-separated values (RFC 4180) for spreadsheets, in UTF-8 with a byte order mark. Each cell is shown as
 * text or a number, never as a formula. Pure.
 */

/** The byte order mark at the start of a file. Without this mark, spreadsheets assume the system's legacy encoding. */
export const CSV_BOM = '\uFEFF';

/**
 * Values that a spreadsheet would change: dates, and numbers with leading zeros, exponents or too many digits for a
 * double.
 */
const CHANGED =
  /^(?:0\d+(?:[.,]\d+)?|(?=(?:[.,]?\d){16,}$)\d+(?:[.,]\d+)?|\d+[eE][+-]?\d+|\d{1,4}([-/])\d{1,2}(?:\1\d{1,4})?)$/;

/** Formats a line of cells, ending with CRLF. Null is an empty cell. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => cellOf(cell ?? '')).join(',')}\r\n`;
}

function cellOf(text: string): string {
  // These are the only formulas in the file. Each formula is a string of digits and signs, which every spreadsheet
  // shows unchanged.
  if (CHANGED.test(text)) return `"=""${text}"""`;
  const safe = defused(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Adds an apostrophe before cells that a spreadsheet would read as formulas, because sites choose some of the contents
 * (OWASP, CSV Injection). In spreadsheets that use semicolons as separators, cells also start after semicolons and line
 * breaks. East Asian spreadsheets accept full-width signs.
 */
function defused(cell: string): string {
  return cell.replaceAll(/(^(?=[\t\r\n])|(?:^|[;\t\n]|\r\n?)(?=[\s"']*[=+\-@＝＋－＠]))/g, "$1'");
}
