/** Who may open a window before the user: one for each site, four altogether, and no blocked or pressing site. */
import { ServiceError } from '../../../protocol/errors.ts';
import type { WriteTransaction } from '../database.ts';
import { mustWait } from '../sites/site.ts';
import { refuseBlocked } from '../sites/store.ts';
import type { UserActivation } from '../../../protocol/page-messages.ts';

/** Most windows at once, over all sites. */
const MAX_WINDOWS = 4;

/**
 * Every question that is open: those with a window, or about to have it, and payments that are being quoted for one.
 */
async function places(tx: WriteTransaction): Promise<{ windows: { origin: string }[]; quoting: { origin: string }[] }> {
  const payments = (await tx.objectStore('payments').index('state').getAll('requested')).filter(({ asking }) => asking);
  const asks = (await tx.objectStore('prompts').getAll()).filter(({ outcome }) => outcome === null);
  return {
    windows: [...asks, ...payments.filter(({ quote }) => quote !== null)],
    quoting: payments.filter(({ quote }) => quote === null),
  };
}

/**
 * Looks whether there is still room for a payment's window, in the transaction that stores its quote.
 * @throws ServiceError `busy`
 */
export async function checkWindowLimit(tx: WriteTransaction): Promise<void> {
  if ((await places(tx)).windows.length >= MAX_WINDOWS) throw new ServiceError('busy');
}

/**
 * Looks whether a site may put a question before the user, in the transaction that stores the question.
 * @throws ServiceError `site-blocked`, `busy`, `too-many-requests` (its last windows came to nothing, and no person has
 * acted since)
 */
export async function checkPromptLimits(
  tx: WriteTransaction,
  origin: string,
  userActivation: UserActivation,
): Promise<void> {
  await refuseBlocked(tx, origin);
  const { windows, quoting } = await places(tx);
  const all = [...windows, ...quoting];
  if (all.some((other) => other.origin === origin)) throw new ServiceError('busy');
  // Where a site has its payments quoted by hosts that never answer, no person who acts elsewhere waits for those.
  if ((userActivation === 'new' ? windows : all).length >= MAX_WINDOWS) throw new ServiceError('busy');
  // An act that something was asked for already excuses nothing: else one click would open window after window.
  if (userActivation !== 'new' && mustWait(await tx.objectStore('sites').get(origin), Date.now()))
    throw new ServiceError('too-many-requests');
}
