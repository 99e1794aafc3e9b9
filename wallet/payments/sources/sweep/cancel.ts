/**
 * Cancels an unaccepted payment by returning one of its coins to the wallet so that at most one of the two
 * transactions can be mined. The payment ends when the cancellation is mined.
 */
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import { inTransaction } from '../../../store/database.ts';
import { vaultStatus } from '../../../vault/vault.ts';
import { cachedDraft } from '../../plan/kept-draft.ts';
import { signedOrFailed } from '../../runner/runner.ts';
import { type PaymentRecord } from '../../record.ts';
import { paymentsIn } from '../../store.ts';
import { ownPayment, startPayment } from '../../start.ts';
import type { Wallet } from '../../../platform.ts';

/** Returns the cost of canceling a payment, in satoshis, or null if it can't be canceled or the cost is unknown. */
export async function cancelFee(wallet: Wallet, id: string): Promise<bigint | null> {
  return cachedDraft(wallet, cancelling(wallet, id, null)).then(
    ({ plan }) => plan.feeSatoshis,
    () => null,
  );
}

/**
 * Cancels a payment and returns once the cancellation is signed. Idempotent while a cancellation is in progress.
 * @param feeSatoshis maximum cost, as shown to the user
 * @throws ServiceError `wallet-locked`, `approval-unknown` (it can no longer be canceled), `fee-changed`,
 * `insufficient-funds`, `network-unavailable`
 */
export async function cancelPayment(wallet: Wallet, id: string, feeSatoshis: bigint): Promise<void> {
  if ((await vaultStatus(wallet)).locked) throw new ServiceError('wallet-locked');
  const own = cancelling(wallet, id, feeSatoshis);
  const draft = await cachedDraft(wallet, own, feeSatoshis); // throws before anything is stored
  const record = await begin(wallet, own);
  await signedOrFailed(wallet, record.id, record.feeLimit === feeSatoshis ? draft : undefined);
}

const cancelling = (wallet: Wallet, id: string, feeLimit: bigint | null): PaymentRecord =>
  ownPayment(wallet, 'cancel', { feeLimit, cancel: true, replaces: id });

/** Stores the approved cancellation, unless another click has already stored one. */
async function begin(wallet: Wallet, own: PaymentRecord): Promise<PaymentRecord> {
  return inTransaction(wallet, async (tx) => {
    const known = (await paymentsIn(tx, 'approved')).find(
      ({ cancel, replaces }) => cancel && replaces === own.replaces,
    );
    return known ?? startPayment(wallet, tx, own);
  });
}
