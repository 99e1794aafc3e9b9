/** For tests: what recipients' hosts are handed in, and what the wallet's own service took in for it, over HTTP. */
import express, { type Express, type Response } from 'express';
import { parseTransactionHex, txidOf } from '../../../protocol/transaction.ts';
import { fromHex } from '../../../protocol/bytes.ts';
import type { ReceivedTransaction } from '../../../protocol/received.ts';

/**
 * What happens to one delivery, or to one acknowledgement: nothing of it arrives; it is taken but the answer is lost;
 * it is answered with another transaction's id; or with a status by its number, without taking it.
 */
export type HandInFault = 'refused' | 'answer-lost' | 'other-txid' | number;

/**
 * Where the stand-ins of hosts take transactions, below the network's URL: the wallet's own service, and somebody
 * else's.
 */
export const RECEIVE_PATHS = { service: '/bsvalias/receive', host: '/elsewhere/receive' } as const;

/** One delivery as it came in. */
export interface HandedIn {
  path: string;
  reference: string;
  hex: string;
  metadata: { sender?: string; pubkey?: string; signature?: string };
}

/** The test's view of both. */
export class Arrivals {
  /** Taken deliveries in order, repetitions included, and what happens to the next ones. */
  deliveries: HandedIn[] = [];
  deliveryFaults: HandInFault[] = [];
  /** What waits for the wallet, and most of it in one answer. */
  inbox: ReceivedTransaction[] = [];
  page = 100;
  /** Acknowledged ids in order, repetitions included, and what happens to the next acknowledgements. */
  acknowledged: string[] = [];
  acknowledgementFaults: HandInFault[] = [];
  /** How often the inbox was asked for, and how many streams of events were ever opened. */
  asked = 0;
  opened = 0;
  /** Streams that stay open, but on which nothing comes. */
  silent = false;
  readonly #order: string[] = [];
  readonly #streams = new Set<Response>();

  reset(): void {
    this.cutStreams();
    Object.assign(this, {
      deliveries: [],
      deliveryFaults: [],
      inbox: [],
      page: 100,
      acknowledged: [],
      acknowledgementFaults: [],
      asked: 0,
      opened: 0,
      silent: false,
    });
  }

  /** How many streams are open now. */
  get listening(): number {
    return this.#streams.size;
  }

  /** Tells whoever listens that something came in. */
  tell(): void {
    for (const stream of this.#streams) stream.write('event: received\ndata:\n\n');
  }

  /** Breaks all streams. */
  cutStreams(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  /** Answers to it all. */
  serve(app: Express): void {
    app.post(Object.values(RECEIVE_PATHS), express.json({ limit: '25mb' }), (request, response) => {
      const { hex, reference, metadata } = request.body as HandedIn;
      const txid = txidOf(fromHex(hex));
      parseTransactionHex(hex);
      answer(this.deliveryFaults.shift(), response, { txid, note: '' }, () => {
        const conflict = this.deliveries.some((one) => one.reference === reference && one.hex !== hex);
        if (conflict) throw new Error('a reference was used for two transactions');
        this.deliveries.push({ path: request.path, hex, reference, metadata });
      });
    });

    const isKnown = (header: string | undefined, response: Response) => {
      if (header === 'Bearer at_test') return true;
      response.status(401).json({ error: { code: 'unauthenticated', message: '' } });
      return false;
    };
    app.get('/api/v2/me/received', (request, response) => {
      if (!isKnown(request.headers.authorization, response)) return;
      this.asked += 1;
      // `after` may name one that was acknowledged meanwhile: the order of all that ever were there counts.
      this.#order.push(...this.inbox.map(({ id }) => id).filter((id) => !this.#order.includes(id)));
      const passed = this.#order.slice(0, this.#order.indexOf(String(request.query.after)) + 1);
      const waiting = this.inbox.filter(({ id }) => !passed.includes(id));
      response.json({ received: waiting.slice(0, this.page), more: waiting.length > this.page });
    });
    app.post('/api/v2/me/received/acknowledgements', express.json(), (request, response) => {
      if (!isKnown(request.headers.authorization, response)) return;
      const { ids } = request.body as { ids: string[] };
      answer(this.acknowledgementFaults.shift(), response, { acknowledged: ids.length }, () => {
        this.acknowledged.push(...ids);
        this.inbox = this.inbox.filter(({ id }) => !ids.includes(id));
      });
    });
    app.get('/api/v2/me/received/events', (request, response) => {
      if (!isKnown(request.headers.authorization, response)) return;
      this.opened += 1;
      this.#streams.add(response);
      // As often as the service does, by the wallet's quick clock.
      const beat = setInterval(() => this.silent || response.write(': here\n\n'), 500);
      response.on('close', () => {
        clearInterval(beat);
        this.#streams.delete(response);
      });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': hello\n\n');
      if (this.inbox.length > 0) response.write('event: received\ndata:\n\n');
    });
  }
}

function answer(fault: HandInFault | undefined, response: Response, body: object, take: () => void): void {
  if (fault === 'refused') return void response.destroy();
  if (typeof fault === 'number') return void response.status(fault).json({ error: { code: 'internal', message: '' } });
  take();
  if (fault === 'answer-lost') return void response.destroy();
  response.json(fault === 'other-txid' ? { txid: '00'.repeat(32), note: '' } : body);
}
