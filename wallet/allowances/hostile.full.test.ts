/** Tests sites that attack their allowances concurrently, while the worker is killed and the user makes changes. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { PaymentRecord } from '../payments/record.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { approvals, ask, decline, give, openWallet, PASSWORD, pay, stored } from '../../testkit/wallet/wallet.ts';
import type { AllowanceKind } from './allowance.ts';
import type { UserActivation } from '../../protocol/messages/page-messages.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const network = useNetwork();

const RUNS = 5;

const ORIGINS = ['https://shop.example', 'https://shop.example:8443'];
const CLIENTS = ['', 'app'];
const TO = 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb';
const LIMIT = 3000n;

/** An event. Its numbers have few possible values so that requests collide. */
type Event =
  | { do: 'ask'; origin: number; client: number; request: number; automatic: boolean; userActivation: UserActivation }
  | { do: 'give' | 'revoke' | 'anew'; origin: number; client: number; kind: AllowanceKind }
  | { do: 'block'; origin: number }
  | { do: 'lock' | 'fail' }
  | { do: 'die'; crashPoint: number };

// Mostly the same site, to provoke overspending of one allowance.
const origin = fc.constantFrom(0, 0, 0, 0, 1);
const client = fc.constantFrom(0, 0, 0, 1);
const automatic = fc.constantFrom(true, true, true, false);
const userActivation = fc.constantFrom<UserActivation>('none', 'active', 'new');
const kind = fc.constantFrom<AllowanceKind>('automatic', 'automatic', 'swipe');
const request = fc.integer({ min: 0, max: 15 });
const events = fc.array(
  fc.oneof(
    {
      weight: 20,
      arbitrary: fc.record({ do: fc.constant('ask' as const), origin, client, request, automatic, userActivation }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom('give' as const, 'revoke' as const, 'anew' as const),
        origin,
        client,
        kind,
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('lock' as const, 'fail' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('block' as const), origin: fc.constant(1) }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('die' as const), crashPoint: fc.integer({ min: 1, max: 150 }) }),
    },
  ),
  { minLength: 20, maxLength: 50, size: 'max' },
);

let grants = 0;
const giveAnew = (workerRun: WorkerRun, origin: string, clientIdentifier: string, which: AllowanceKind) =>
  give(workerRun, {
    origin,
    clientIdentifier,
    kind: which,
    currency: 'BSV',
    limit: LIMIT,
    id: `token-of-a-test-${(grants += 1)}`,
  });

const amountOf = (request: number) => 600 + request * 50;
const optionsOf = (request: number, client: number) =>
  pay(TO, amountOf(request), CLIENTS[client] ? { clientIdentifier: CLIENTS[client] } : {});

/** Runs all events without waiting, as pages would. The user rejects every window that opens. */
async function play(first: WorkerRun, happenings: readonly Event[]): Promise<WorkerRun> {
  let workerRun = first;
  let waiting: Promise<unknown>[] = [];
  const messages: Extract<Event, { do: 'ask' }>[] = [];
  const say = (message: Extract<Event, { do: 'ask' }>) => {
    const { origin, client, request, automatic, userActivation } = message;
    waiting.push(
      workerRun.untilDeath(() =>
        ask(workerRun, `request-${request}-${client}`, optionsOf(request, client), {
          origin: ORIGINS[origin] as string,
          automatic,
          userActivation,
        }),
      ),
    );
  };
  for (const happening of happenings) {
    if (workerRun.dead) {
      workerRun = await workerRun.profile.start();
      waiting = [];
      refuseEverything(workerRun);
      for (const message of messages) say(message); // after a restart, relays repeat their calls
    }
    const { modules } = workerRun;
    switch (happening.do) {
      case 'ask':
        messages.push(happening);
        say(happening);
        break;
      case 'give':
        waiting.push(
          workerRun.untilDeath(() =>
            giveAnew(
              workerRun,
              ORIGINS[happening.origin] as string,
              CLIENTS[happening.client] as string,
              happening.kind,
            ),
          ),
        );
        break;
      case 'revoke':
      case 'anew': {
        const stored = await workerRun.untilDeath(() =>
          modules.allowanceRecords.readAllowance(wallet, [
            ORIGINS[happening.origin] as string,
            CLIENTS[happening.client] as string,
            happening.kind,
          ]),
        );
        if (!stored) break;
        if (happening.do === 'revoke')
          waiting.push(workerRun.untilDeath(() => modules.allowances.revokeAllowance(wallet, stored.id)));
        else waiting.push(workerRun.untilDeath(() => endPeriod(workerRun, stored.id)));
        break;
      }
      case 'block':
        waiting.push(
          workerRun.untilDeath(() =>
            modules.sites.setBlock(wallet, ORIGINS[happening.origin] as string, Date.now() + 60_000),
          ),
        );
        break;
      case 'lock':
        await workerRun.untilDeath(() => modules.vault.lock(wallet).then(() => modules.vault.unlock(wallet, PASSWORD)));
        break;
      case 'fail':
        network.faults.push(461, 'answer-lost');
        break;
      case 'die':
        workerRun.dieAt(happening.crashPoint);
    }
  }
  if (workerRun.dead) {
    workerRun = await workerRun.profile.start();
    waiting = [];
    refuseEverything(workerRun);
    for (const message of messages) say(message);
  }
  workerRun.dieAt(Number.POSITIVE_INFINITY);
  await Promise.allSettled(waiting);
  await vi.waitFor(
    async () => {
      const { payments } = await stored(workerRun);
      expect(
        payments
          .filter(
            (one) =>
              one.state === 'requested' || one.state === 'approved' || (one.state === 'signed' && !isRefused(one)),
          )
          .map(({ state, trouble }) => [state, trouble]),
      ).toEqual([]);
    },
    { interval: 20 },
  );
  return workerRun;
}

async function endPeriod(workerRun: WorkerRun, token: string): Promise<void> {
  await workerRun.modules.database.inTransaction(wallet, async (tx) => {
    for (const one of await tx.objectStore('allowances').getAll())
      if (one.id === token) await tx.objectStore('allowances').put({ ...one, resetsAt: Date.now() - 1 });
  });
}

function refuseEverything(workerRun: WorkerRun): void {
  const look = (): void => {
    if (workerRun.dead) return;
    for (const { id, windowId } of approvals(workerRun)) {
      decline(workerRun, id)
        .catch(() => undefined)
        .finally(() => workerRun.dead || workerRun.profile.browser.closeWindow(windowId));
    }
    setTimeout(look, 20);
  };
  look();
}

/** True if a payment has ended but may still be mined: every operator refused it, or another payment replaced it. */
const isRefused = ({ trouble, replacedBy }: PaymentRecord) => trouble === 'refused' || typeof replacedBy === 'string';

const costOf = ({ quote, signed }: PaymentRecord) => quote.satoshis + (signed?.feeSatoshis ?? 0n);

describe('hostile sites, crashes of the worker and changes by the user', () => {
  test('each payment without a window was paid from its own allowance, and no period of any allowance was overspent', async () => {
    let paid = 0;
    await fc.assert(
      fc.asyncProperty(events, async (happenings) => {
        network.reset();
        const first = await openWallet(
          network,
          Array.from({ length: 30 }, () => 5000),
        );
        for (const origin of ORIGINS)
          for (const client of CLIENTS)
            for (const which of ['swipe', 'automatic'] as const) await giveAnew(first, origin, client, which);
        refuseEverything(first);
        const workerRun = await play(first, happenings);

        const { payments } = await stored(workerRun);
        const signed = payments.filter((one) => one.signed !== null);
        paid += signed.length;
        // Only the largest of several mutually exclusive payments counts until one of them is mined.
        const largest = new Map<string, Map<string, bigint>>();
        for (const one of signed) {
          const { origin, options, automatic, allowance } = one;
          expect(allowance, 'nobody said yes in a window').not.toBeNull();
          if (!allowance) continue;
          expect(allowance.key).toEqual([origin, options.clientIdentifier ?? '', automatic ? 'automatic' : 'swipe']);
          expect(allowance.debit).toBe(costOf(one));
          // A swipe allowance pays only for requests with a new user gesture, an automatic one only for automatic
          // requests.
          expect(
            happenings.some(
              (event) =>
                event.do === 'ask' &&
                ORIGINS[event.origin] === origin &&
                `request-${event.request}-${event.client}` === one.requestId &&
                event.automatic === automatic &&
                (automatic || event.userActivation === 'new'),
            ),
          ).toBe(true);
          if (one.state === 'failed') continue;
          const period = `${allowance.id} ${allowance.periodStart}`;
          const chains = largest.get(period) ?? new Map<string, bigint>();
          const chain = one.group ?? one.id;
          const before = chains.get(chain) ?? 0n;
          largest.set(period, chains.set(chain, before > costOf(one) ? before : costOf(one)));
        }
        const spent = new Map(
          [...largest].map(([period, chains]) => [period, [...chains.values()].reduce((sum, cost) => sum + cost, 0n)]),
        );
        for (const [period, sum] of spent) expect(sum <= LIMIT, period).toBe(true);
        const db = await workerRun.modules.database.database(wallet);
        for (const { id, periodStart, spent: counted } of await db.getAll('allowances'))
          expect(counted, id).toBe(spent.get(`${id} ${periodStart}`) ?? 0n);
        // The balance is the received amount minus the spent amount and the amounts held for refused payments.
        const out = signed
          .filter((one) => one.state !== 'failed' && !isRefused(one))
          .reduce((sum, one) => sum + costOf(one), 0n);
        const { satoshis } = await workerRun.modules.store.balance(wallet);
        if (signed.some(isRefused)) expect(satoshis <= 30n * 5000n - out).toBe(true);
        else expect(satoshis).toBe(30n * 5000n - out);
        endAllWorkerRuns();
      }),
      // Shrinking would exceed the test's time limit. A failure shows its seed instead.
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(paid).toBeGreaterThan(RUNS);
  });
});
