/** Work that the service does between requests: follows payments, delivers webhooks and deletes expired rows. */
import type { Logger } from 'pino';
import type { Network } from '../protocol/bitcoin/address.ts';
import { arcCallbackToken, arcCallbackUrl } from './api/payments/arc-callback.ts';
import { deleteOldAvatars } from './avatars/avatars.ts';
import { deleteUnwantedBalances } from './balances/store.ts';
import { deleteOldKeys } from './http/idempotency.ts';
import { deleteFullBuckets } from './http/rate-limit.ts';
import { deleteExpiredChallenges } from './identity/challenges.ts';
import { deleteExpiredTokens } from './identity/tokens.ts';
import { deleteExpiredAuthorizations } from './oauth/authorizations.ts';
import { startDueWork } from './due-work.ts';
import { deleteUnpaidDestinations } from './destinations/destinations.ts';
import { indexOlderPayments } from './payments/search/search-index.ts';
import { paymentWork } from './settlement/follow.ts';
import { followEvents } from './settlement/follow-events.ts';
import { mintWork } from './settlement/follow-mints.ts';
import { tokenWork } from './settlement/follow-tokens.ts';
import { checkSoon } from './settlement/payment-status.ts';
import { correctStoredTimes } from './settlement/stored-times.ts';
import { periodic } from './periodic.ts';
import { startDelivery } from './webhooks/deliver.ts';
import { deleteEndedWebhookSecrets } from './applications/store.ts';
import { deleteOldEvents } from './webhooks/log.ts';
import type { ArcClient } from './chain/arc-client.ts';
import type { TransactionSource } from './chain/transaction-source.ts';
import type { openPostgres } from './database/connect.ts';
import { describeError } from './http/errors.ts';
import type { Lifecycle } from './http/health.ts';

/** Interval between checks for due payments, mints and tokens (ms). */
export const FOLLOW_EVERY_MS = 1_000;
/** Maximum delay between two checks of a payment (ms). */
export const MAX_FOLLOW_DELAY_MS = 5 * 60_000;
/** Interval between checks for times stored while a clock was ahead (ms). */
const CORRECT_EVERY_MS = 60_000;
const CLEAN_EVERY_MS = 10 * 60_000;
/** Time limit for a statement that changes or deletes many rows, longer than the limit for requests (ms). */
const CLEAN_STATEMENT_MS = 60_000;

interface WorkContext {
  database: Awaited<ReturnType<typeof openPostgres>>;
  arc: ArcClient;
  source: TransactionSource;
  log: Logger;
  now: () => Date;
  lifecycle: Lifecycle;
  deliveryProgress: { caughtUpAt: Date };
  baseUrl: string;
  network: Network;
  /** Maximum delay between two checks of a payment (ms). */
  maxDelayMs: number;
  /** True if webhooks may be sent to private addresses. */
  allowPrivate: boolean;
}

/** Starts the work. @returns a function that stops it, and resolves when work in progress has ended */
export async function startBackgroundWork({
  database,
  arc,
  source,
  log,
  now,
  lifecycle,
  deliveryProgress,
  baseUrl,
  network,
  maxDelayMs,
  allowPrivate,
}: WorkContext): Promise<{ stop: () => Promise<unknown> }> {
  const failed = (what: string) => (error: unknown) => log.error({ error: describeError(error) }, what);
  const callbackUrl = arcCallbackUrl(baseUrl, network);
  // Without a callback URL that operators can reach, only operators with an event stream report changes.
  const callback = { url: callbackUrl, token: await arcCallbackToken(database.db, now()) };
  const events = followEvents({
    followed: arc.followed,
    token: callback.token,
    checkSoon: (txids) => checkSoon(database.db, txids, now()),
    log,
  });
  const follower = startDueWork(
    paymentWork({ db: database.db, arc, source, now, log, maxDelayMs, callback }),
    FOLLOW_EVERY_MS,
    failed('payments could not be followed'),
  );
  const mintFollower = startDueWork(
    mintWork({ db: database.db, arc, now, log, maxDelayMs }),
    FOLLOW_EVERY_MS,
    failed('assets could not be followed'),
  );
  const tokenFollower = startDueWork(
    tokenWork({ db: database.db, source, now, log, maxDelayMs }),
    FOLLOW_EVERY_MS,
    failed('tokens could not be followed'),
  );
  const corrector = periodic(
    async () => {
      const rows = await database.onOneConnection(
        (db) => correctStoredTimes(db, now(), maxDelayMs),
        CLEAN_STATEMENT_MS,
      );
      if (rows > 0) log.warn({ rows }, 'times stored while a clock was ahead were corrected');
    },
    CORRECT_EVERY_MS,
    failed('stored times could not be corrected'),
  );
  const cleaner = periodic(
    () =>
      database.onOneConnection(async (db) => {
        await deleteExpiredChallenges(db, now());
        await deleteExpiredTokens(db, now());
        await deleteOldKeys(db, now());
        await deleteFullBuckets(db, now());
        await deleteUnwantedBalances(db);
        await deleteOldAvatars(db, now());
        await deleteExpiredAuthorizations(db, now());
        await deleteOldEvents(db, now());
        await deleteEndedWebhookSecrets(db, now());
        await deleteUnpaidDestinations(db, now());
      }, CLEAN_STATEMENT_MS),
    CLEAN_EVERY_MS,
    failed('expired rows could not be deleted'),
  );
  const delivery = startDelivery({
    db: database.db,
    now,
    log,
    allowPrivate,
    progress: deliveryProgress,
  });
  const indexing = indexOlderPayments(database.db, () => lifecycle.stopping, now()).then((payments) => {
    if (payments > 0) log.info({ payments }, 'older payments are now searchable');
  }, failed('older payments could not be made searchable: will try again at the next start'));
  return {
    stop: () =>
      Promise.all([
        follower.stop(),
        mintFollower.stop(),
        tokenFollower.stop(),
        corrector.stop(),
        cleaner.stop(),
        delivery.stop(),
        events.stop(),
        indexing,
      ]),
  };
}
