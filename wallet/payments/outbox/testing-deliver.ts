import { freshModules } from '../../../testing/fresh-modules.ts';
import { vi } from 'vitest';
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import type { PaymentOptions } from '../../../protocol/payments/payment.ts';
import { txidOf } from '../../../protocol/bitcoin/transaction.ts';
import type { PaymentRecord } from '../record.ts';
import { answering, type FakeResponse, type RecordedRequest } from '../../../testkit/network/answers.ts';
import { RECEIVE_PATHS } from '../../../testkit/wallet/arrivals.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { ask, give, openWallet, paymentWhere } from '../../../testkit/wallet/wallet.ts';
import type { PaidHost } from '../../paymail/paid-host.ts';

export const network = useNetwork();

export const BOB = 'bob@two.example';
export const CAROL = 'carol@localhost';
let references = 0;

/** Makes Bob's host (a third party) and Carol's host (the wallet's service) issue destinations with two scripts. */
export function destinations(more: Partial<PaidHost> = {}): void {
  const destination = async (_wallet: unknown, paymail: string, satoshis: bigint) => {
    const isService = paymail === CAROL;
    const host: PaidHost = {
      paymail,
      origin: network.url,
      name: null,
      publicKey: null,
      keyChangedSince: null,
      known: false,
      isService,
      reference: `reference-${(references += 1)}`,
      receiveUrl: network.url + RECEIVE_PATHS[isService ? 'service' : 'host'],
      receiveBeefUrl: null,
      ...more,
    };
    const piece = (value: bigint) => ({
      script: toHex(p2pkhScript(crypto.getRandomValues(new Uint8Array(20)))),
      satoshis: value,
    });
    return { scripts: [piece(satoshis / 3n), piece(satoshis - satoshis / 3n)], host };
  };
  vi.doMock('../../paymail/destination.ts', () => ({ paymailDestination: destination, userDestination: destination }));
  freshModules();
}

export const paying = (...recipients: string[]): PaymentOptions => ({
  outputs: recipients.map((to) => ({ to, amount: '0.00003', currency: 'BSV' })),
});

/** Opens a wallet that pays without a prompt. */
export async function wallet(account = true, host: Partial<PaidHost> = {}): Promise<WorkerRun> {
  destinations(host);
  const workerRun = await openWallet(network, [4_000_000], { account });
  await give(workerRun, { currency: 'BSV', limit: 100_000_000n });
  return workerRun;
}

let requests = 0;
/** Pays automatically, and returns the signed payment. */
export async function paid(workerRun: WorkerRun, options: PaymentOptions): Promise<PaymentRecord> {
  const answer = await ask(workerRun, `request-${(requests += 1)}`, options, { automatic: true });
  if (typeof answer === 'string') throw new Error(`the page was told: ${answer}`);
  return paymentWhere(workerRun, answer.id, ({ signed }) => signed !== null);
}

export const hostThat = (answer: (asked: RecordedRequest) => FakeResponse) =>
  answering((asked: RecordedRequest) => answer(asked));
export const txidIn = (body: string) => txidOf(fromHex(JSON.parse(body).hex));

export const settled = (workerRun: WorkerRun, { id }: PaymentRecord) =>
  paymentWhere(workerRun, id, ({ state }) => state === 'settled');
export const until = (holds: () => void) => vi.waitFor(holds);
export const taken = () => network.arrivals.deliveries;
