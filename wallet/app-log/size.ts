/** Computes the space that entries use in the log on the account's service. Pure. */
import { MAX_BLOCK } from '../../protocol/http/app-log.ts';
import type { LogEntry } from './entry.ts';

/** Reserved bytes per block for encryption, length, and the last blocks of about forty other writers. */
const NOT_ENTRIES = 1024;
const LONGEST_FIELDS = { version: 999_999_999, at: 9_999_999_999_999 };

const encoder = new TextEncoder();

/** Returns an entry's size in a block's content (bytes). */
export const bytesOf = (one: { entry: LogEntry; version: number; at: number }): number =>
  encoder.encode(JSON.stringify({ entry: one.entry, version: one.version, at: one.at })).length + 1;

/** Returns an entry's share of a padded block (bytes): half of it if two such entries fit, otherwise all of it. */
export function shareOfBlock(entry: LogEntry): number {
  const bytes = bytesOf({ entry, ...LONGEST_FIELDS });
  return Math.ceil(MAX_BLOCK / Math.max(1, Math.floor((MAX_BLOCK - NOT_ENTRIES) / bytes)));
}
