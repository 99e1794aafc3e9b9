/** Mock HTTP endpoints for deliveries to recipients' hosts, and for payments received by the wallet's own service. */
import express, { type Express, type Response } from 'express';
import { parseTransactionHex, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import type { ReceivedTransaction } from '../../protocol/http/received.ts';

/**
 * The fault to simulate in one delivery or acknowledgment. `refused`: the request never arrives. `answer-lost`: it is
 * accepted, but the response is lost. `other-txid`: the response names a different transaction. A number is the HTTP
 * status of a rejection.
 */
export type HandInFault = 'refused' | 'answer-lost' | 'other-txid' | number;

/** Paths of the wallet's own service and of a third-party host, below the network's URL. */
export const RECEIVE_PATHS = { service: '/bsvalias/receive', host: '/elsewhere/receive' } as const;

export interface HandedIn {
  path: string;
  reference: string;
  hex: string;
  metadata: { sender?: string; pubkey?: string; signature?: string };
}

export class Arrivals {
  /** Accepted deliveries in order, including repetitions. */
  deliveries: HandedIn[] = [];
  /** Faults for the next deliveries, in order. */
  deliveryFaults: HandInFault[] = [];
  /** Payments that the wallet has not acknowledged yet. */
  inbox: ReceivedTransaction[] = [];
  /** Maximum number of payments per response. */
  page = 100;
  /** IDs of acknowledged payments in order, including repetitions. */
  acknowledged: string[] = [];
  /** Faults for the next acknowledgments, in order. */
  acknowledgementFaults: HandInFault[] = [];
  /** Number of requests for the inbox. */
  asked = 0;
  /** Number of event streams opened so far. */
  opened = 0;
  /** True if event streams stay open without sending data. */
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

  get listening(): number {
    return this.#streams.size;
  }

  /** Announces an arrival on all event streams. */
  tell(): void {
    for (const stream of this.#streams) stream.write('event: received\ndata:\n\n');
  }

  cutStreams(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  /** Adds the endpoints to an app. */
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
      // `after` can refer to a payment that has been acknowledged in the meantime, so the order includes acknowledged
      // payments.
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
      // A heartbeat every 10 s on the wallet's fast clock.
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
