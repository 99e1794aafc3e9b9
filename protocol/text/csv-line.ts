/**
 * Comma-separated values (RFC 4180) as spreadsheets open them by a double click: UTF-8 with a byte order mark, every
 * cell as text or as a number. Pure.
 */

/** The beginning of a file, without which spreadsheets assume the system's legacy encoding. */
export const CSV_BOM = '\uFEFF';

/** Texts that a spreadsheet would change: leading zeros, too many digits for a double, exponents, dates. */
const CHANGED =
  /^(?:0\d+(?:[.,]\d+)?|(?=(?:[.,]?\d){16,}$)\d+(?:[.,]\d+)?|\d+[eE][+-]?\d+|\d{1,4}([-/])\d{1,2}(?:\1\d{1,4})?)$/;

/** A line of cells; null is an empty one. Ends with CRLF. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => cellOf(cell ?? '')).join(',')}\r\n`;
}

function cellOf(text: string): string {
  // The only formula in the file, made of digits. Every spreadsheet shows this form as text.
  if (CHANGED.test(text)) return `"=""${text}"""`;
  const safe = defused(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Turns a cell that a spreadsheet would take for a formula into text with an apostrophe, because sites choose some of
 * the texts (OWASP, CSV Injection). With the semicolon as separator, cells also begin after each semicolon and line
 * break. East Asian spreadsheets accept full-width signs.
 */
function defused(cell: string): string {
  return cell.replaceAll(/(^(?=[\t\r\n])|(?:^|[;\t\n]|\r\n?)(?=[\s"']*[=+\-@＝＋－＠]))/g, "$1'");
}
