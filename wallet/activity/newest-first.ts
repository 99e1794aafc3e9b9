/**
 * Merges payments, receipts and sites' crypto operations into one sequence of events, newest first. Reads the stores in
 * small pieces, so a long search never delays writing a payment.
 */
import type { Receipt } from '../coins/receipts/receipt.ts';
import type { OperationsRecord } from '../crypto-operations/operations-record.ts';
import type { PaymentRecord } from '../payments/record.ts';
import { isNewer, readPiece, timedTransaction, type Position } from '../store/by-time.ts';
import type { Wallet } from '../platform.ts';

export type Entry = MoneyEntry | (Position & { store: 'operations'; record: OperationsRecord });
/** An activity entry that moves money. */
export type MoneyEntry = Position &
  ({ store: 'payments'; record: PaymentRecord } | { store: 'receipts'; record: Receipt });

export interface Line {
  waiting: Entry[];
  /**
   * Position up to which the store has been read; null at the start. All newer matching entries are in `waiting` or
   * already consumed.
   */
  at: Position | null;
  ended: boolean;
  /** Reads the next piece. @returns the cost, in records read */
  advance(): Promise<number>;
}

/** One step of the merged sequence. `entry` is null if the step only read records. */
export interface Step {
  entry: Entry | null;
  /** Position in the sequence after this step; null if unchanged. */
  at: Position | null;
  /** Cost in records read. */
  cost: number;
}

/** Merges the records from several stores into one sequence. Reads only as much as the consumer requests. */
export async function* newestFirst(lines: readonly Line[]): AsyncGenerator<Step> {
  // Each store's first records are always needed.
  const costs = await Promise.all(lines.map((line) => (line.ended ? 0 : line.advance())));
  yield { entry: null, at: null, cost: costs.reduce((sum, cost) => sum + cost, 0) };
  for (;;) {
    const line = foremost(lines);
    if (!line) return;
    const entry = line.waiting.shift();
    if (entry) yield { entry, at: entry, cost: 1 };
    else {
      const cost = await line.advance();
      const next = foremost(lines);
      yield { entry: null, at: next?.waiting.length === 0 ? next.at : null, cost };
    }
  }
}

function foremost(lines: readonly Line[]): Line | null {
  let best: { line: Line; next: Position | null } | null = null;
  for (const line of lines) {
    const next = line.waiting[0] ?? line.at;
    if (line.waiting.length === 0 && line.ended) continue;
    if (best === null || (best.next !== null && (next === null || isNewer(next, best.next)))) best = { line, next };
  }
  return best?.line ?? null;
}

/** The range to read in a store. */
export interface Range {
  /** Only entries older than this position; null to start with the newest. */
  before: Position | null;
  /** Minimum time (milliseconds since 1970). */
  since: number;
}

/** Returns a reader for all records in a store, `piece` records at a time. */
export function wholeLine(wallet: Wallet, store: Entry['store'], { before, since }: Range, piece: number): Line {
  return {
    waiting: [],
    at: before,
    ended: before !== null && before.time < since,
    async advance() {
      const tx = await timedTransaction(wallet, store);
      this.waiting = await readPiece<Entry>(wallet, tx, store, this.at, { time: since, id: '' }, piece);
      this.at = this.waiting.at(-1) ?? this.at;
      this.ended = this.waiting.length < piece;
      return 0;
    },
  };
}
