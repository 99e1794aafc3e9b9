/** Matches activity rows against a search. */
import { METADATA_NAMES } from '../../protocol/payments/metadata.ts';
import { satoshisToBsv } from '../../protocol/money/money.ts';
import type { ActivityFilter } from '../../protocol/messages/wallet-messages.ts';
import type { ContactBook } from '../contacts/store.ts';
import { contactKey, contactNames } from './contact.ts';
import type { Entry } from './newest-first.ts';
import type { PageQuery } from './page-query.ts';

/** A search term and, if it is an amount, its normalized form. */
export type Word = readonly string[];

/** Returns the terms of a search. Ignores case and amount formats: `$1,000.50` finds 1000.50, `0.10` finds 0.1. */
export function wordsOf(search: string): Word[] {
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => [word, ...asNumber(word)]);
}

/**
 * Returns a predicate that is true if an entry contains every term. Each term can be in the site, a recipient, the
 * sender, a contact's name, an address, an ID, a note, an amount or the data.
 */
export function searching(words: readonly Word[], contacts: ContactBook): (entry: Entry) => boolean {
  return (entry) => {
    if (words.length === 0) return true;
    const texts = textsOf(entry).map((text) => text.toLowerCase());
    const isIn = (forms: Word) => forms.some((form) => texts.some((text) => text.includes(form)));
    if (words.every(isIn)) return true;
    for (const name of contactNames(entry, contacts)) if (typeof name === 'string') texts.push(name.toLowerCase());
    return words.every(isIn);
  };
}

/**
 * Returns the same search as a query for search pages. It accepts all matches of {@link searching}, and few other
 * records. Pages don't contain contacts' names, so the query looks for the IDs of contacts with matching names.
 */
export function worthReading(
  words: readonly Word[],
  contacts: ContactBook,
  { direction, status }: Pick<ActivityFilter, 'direction' | 'status'>,
): PageQuery {
  const sought = words.map((forms) => [
    ...forms,
    ...contacts
      .all()
      .filter(({ name }) => forms.some((form) => name.toLowerCase().includes(form)))
      .map(contactKey),
  ]);
  const hasWords = (text: string) => sought.every((forms) => forms.some((form) => text.includes(form)));
  const [start, end] = [direction === undefined ? '' : `${direction} `, status === undefined ? '' : ` ${status}`];
  return {
    // Statuses are in upper case, and all other text is in lower case, so only a status matches `end`.
    page: (lines) => hasWords(lines) && lines.includes(start) && lines.includes(end),
    line: (kind, text) => kind.startsWith(start) && kind.endsWith(end) && hasWords(text),
  };
}

/** Returns an amount without its sign, currency symbol and separators. Empty if the term isn't an amount. */
function asNumber(word: string): string[] {
  const plain = word
    .replace(/^[+−-]?\p{Sc}?/u, '')
    .replace(/\p{Sc}$/u, '')
    .replaceAll(/[,'’_](?=\d{3})/g, '');
  return /^\d+(?:\.\d*)?$/.test(plain) ? [plain] : [];
}

export function textsOf(entry: Entry): string[] {
  if (entry.store === 'operations') {
    const { origin, clientIdentifier, operations } = entry.record;
    const operationTexts = operations.flatMap(({ method, data, value, paymail }) => [method, data, value, paymail]);
    return [origin, clientIdentifier, ...operationTexts].filter((text) => typeof text === 'string');
  }
  if (entry.store === 'receipts') {
    const { txid, address, satoshis, sender, note, spent, record } = entry.record;
    const recorded = record && [
      record.origin,
      ...record.outputs.map(({ to }) => to),
      ...METADATA_NAMES.map((name) => record[name]),
    ];
    const paid = (spent?.paid ?? []).flatMap((one) => one.address ?? []);
    return [
      txid,
      address,
      ...paid,
      ...(sender ? [sender.paymail] : []),
      ...(note ? [note] : []),
      ...(recorded ?? []).filter((text) => text !== null),
      ...satoshiTexts(satoshis),
    ];
  }
  const { id, origin, options, quote, signed, note } = entry.record;
  const texts: (string | null | undefined)[] = [
    id,
    origin,
    note,
    signed?.txid,
    options.opReturn,
    ...METADATA_NAMES.map((name) => options[name]),
    options.clientIdentifier,
  ];
  for (const { to, paymail, userId, address } of quote.outputs) texts.push(to, paymail, userId, address);
  texts.push(`${padded(quote.amount)} ${quote.currency}`, ...satoshiTexts(quote.satoshis));
  return texts.filter((text) => typeof text === 'string');
}

function satoshiTexts(satoshis: bigint): string[] {
  return [`${satoshis} satoshis`, `${satoshisToBsv(satoshis)} BSV`];
}

/** Pads an amount to at least two decimal places, as displayed. */
function padded(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}
