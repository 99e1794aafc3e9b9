/** The space that entries take in the log at the account's service. Pure. */
import { MAX_BLOCK } from '../../protocol/http/app-log.ts';
import type { LogEntry } from './entry.ts';

/** Bytes of a block without entries: the seal, its length, and the last blocks of some forty other writers. */
const NOT_ENTRIES = 1024;
/** A version and a time of maximum length. */
const LONGEST = { version: 999_999_999, at: 9_999_999_999_999 };

const encoder = new TextEncoder();

/** The size of an entry in the content of a block, in bytes. */
export const bytesOf = (one: { entry: LogEntry; version: number; at: number }): number =>
  encoder.encode(JSON.stringify({ entry: one.entry, version: one.version, at: one.at })).length + 1;

/** An entry's share of a sealed, padded block, in bytes: half of it if two such entries fit, else all of it. */
export function shareOfBlock(entry: LogEntry): number {
  const bytes = bytesOf({ entry, ...LONGEST });
  return Math.ceil(MAX_BLOCK / Math.max(1, Math.floor((MAX_BLOCK - NOT_ENTRIES) / bytes)));
}
