/**
 * Cancels a payment that the network does not accept, by paying one of its coins back to the wallet, so that at most
 * one of the two can be mined. The payment ends when a block contains the cancellation.
 */
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import { inTransaction } from '../../../store/database.ts';
import { vaultStatus } from '../../../vault/vault.ts';
import { keptDraft } from '../../plan/kept-draft.ts';
import { signedOrFailed } from '../../runner/runner.ts';
import { type PaymentRecord } from '../../record.ts';
import { paymentsIn } from '../../store.ts';
import { ownPayment, startPayment } from '../../start.ts';
import type { Wallet } from '../../../platform.ts';

/** The cost of canceling a payment, in satoshis; null if it can't be canceled, or the cost is unknown now. */
export async function cancelFee(wallet: Wallet, id: string): Promise<bigint | null> {
  return keptDraft(wallet, cancelling(wallet, id, null)).then(
    ({ plan }) => plan.feeSatoshis,
    () => null,
  );
}

/**
 * Cancels a payment, and returns once the canceling transaction is signed. Idempotent while that is in progress.
 * @param feeSatoshis the maximum cost, as the user saw it
 * @throws ServiceError `wallet-locked`, `approval-unknown` (it can't be canceled any more), `fee-changed`,
 * `insufficient-funds`, `network-unavailable`
 */
export async function cancelPayment(wallet: Wallet, id: string, feeSatoshis: bigint): Promise<void> {
  if ((await vaultStatus(wallet)).locked) throw new ServiceError('wallet-locked');
  const own = cancelling(wallet, id, feeSatoshis);
  const draft = await keptDraft(wallet, own, feeSatoshis); // throws errors early, before anything is stored
  const record = await begin(wallet, own);
  await signedOrFailed(wallet, record.id, record.feeLimit === feeSatoshis ? draft : undefined);
}

const cancelling = (wallet: Wallet, id: string, feeLimit: bigint | null): PaymentRecord =>
  ownPayment(wallet, 'cancel', { feeLimit, cancel: true, replaces: id });

/** Stores the cancellation that the user has approved, unless another click was faster. */
async function begin(wallet: Wallet, own: PaymentRecord): Promise<PaymentRecord> {
  return inTransaction(wallet, async (tx) => {
    const known = (await paymentsIn(tx, 'approved')).find(
      ({ cancel, replaces }) => cancel && replaces === own.replaces,
    );
    return known ?? startPayment(wallet, tx, own);
  });
}
