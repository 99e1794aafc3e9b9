/** Arcade's event stream (SSE) of status changes, filtered by callback token (bsv-blockchain/arcade, docs/sse.md). */
import type { Request, Response } from 'express';
import type { ArcadeTransaction } from '../../../protocol/network/arc.ts';
import type { Faults } from './faults.ts';

const KEEP_ALIVE_MS = 15_000;
const MAX_STREAMS = 100;
/** Maximum number of transactions with callback tokens. Further transactions displace the oldest. */
const MAX_TRACKED = 10_000;
/** Maximum number of callback tokens per transaction. */
const MAX_TOKENS_OF_ONE = 10;

interface Stream {
  token: string | null;
  response: Response;
}

export class EventStreams {
  readonly #faults: Faults;
  readonly #streams = new Set<Stream>();
  /** Callback tokens and the last event ID, by txid. */
  readonly #tracked = new Map<string, { tokens: Set<string>; last: bigint }>();
  readonly #timer: NodeJS.Timeout;
  #lastId = 0n;

  constructor(faults: Faults) {
    this.#faults = faults;
    this.#timer = setInterval(() => {
      for (const { response } of this.#streams) response.write(': keepalive\n\n');
    }, KEEP_ALIVE_MS);
    this.#timer.unref();
  }

  track(txid: string, token: string): void {
    const one = this.#tracked.get(txid) ?? { tokens: new Set(), last: 0n };
    if (one.tokens.size < MAX_TOKENS_OF_ONE) one.tokens.add(token.slice(0, 200));
    this.#tracked.set(txid, one);
    const [oldest] = this.#tracked.keys();
    if (this.#tracked.size > MAX_TRACKED && oldest !== undefined) this.#tracked.delete(oldest);
  }

  wants(txid: string): boolean {
    return this.#streams.size > 0 || this.#tracked.has(txid);
  }

  tell(transaction: ArcadeTransaction): void {
    const tracked = this.#tracked.get(transaction.txid);
    const id = this.#nextId();
    if (tracked) tracked.last = id;
    for (const stream of this.#streams)
      if (stream.token === null || tracked?.tokens.has(stream.token)) this.#send(stream, id, transaction);
  }

  /**
   * Opens a stream, and replays the changes since `Last-Event-ID`.
   * @param statusOf returns a transaction's status, or null if it has none
   */
  open(request: Request, response: Response, statusOf: (txid: string) => ArcadeTransaction | null): void {
    if (this.#streams.size >= MAX_STREAMS || this.#faults.take('events-down')) {
      response.status(503).json({ error: 'events stream not enabled' });
      return;
    }
    const { callbackToken } = request.query;
    const stream: Stream = { token: typeof callbackToken === 'string' ? callbackToken : null, response };
    response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' }).flushHeaders();
    this.#streams.add(stream);
    response.once('close', () => this.#streams.delete(stream));
    const after = request.get('last-event-id') ?? '';
    if (stream.token === null || !/^\d{1,20}$/.test(after)) return;
    const since = [...this.#tracked].filter(
      ([, { tokens, last }]) => last > BigInt(after) && tokens.has(stream.token as string),
    );
    for (const [txid, { last }] of since.toSorted((a, b) => (a[1].last < b[1].last ? -1 : 1))) {
      const transaction = statusOf(txid);
      if (transaction) this.#send(stream, last, transaction);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { response } of this.#streams) response.end();
  }

  #send({ response }: Stream, id: bigint, { merklePath, ...rest }: ArcadeTransaction): void {
    const body = merklePath === undefined || this.#faults.has('events-without-proof') ? rest : { ...rest, merklePath };
    const frame = `id: ${id}\nevent: status\ndata: ${JSON.stringify(body)}\n\n`;
    response.write(frame);
    if (this.#faults.take('events-repeat')) response.write(frame);
    if (this.#faults.take('events-break')) response.end();
  }

  /** Returns the time in nanoseconds since 1970, incremented if necessary to exceed the previous ID. */
  #nextId(): bigint {
    const now = BigInt(Date.now()) * 1_000_000n;
    this.#lastId = now > this.#lastId ? now : this.#lastId + 1n;
    return this.#lastId;
  }
}
