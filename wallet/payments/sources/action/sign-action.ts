/** Signs exactly the approved transaction after an application has signed its own inputs. */
import { refuseRevoked } from '../../../allowances/spend.ts';
import { outpoint, type Coin } from '../../../coins/coin.ts';

import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import type { Plan } from '../../../transaction/plan.ts';
import { unsignedTransaction } from '../../../transaction/sign.ts';
import type { Transaction } from '../../../../protocol/bitcoin/transaction.ts';
import { watchLock } from '../../../vault/session.ts';
import type { ActionPart, Unsigned } from '../../action.ts';
import { signPlan } from '../../plan/sign.ts';
import { refuseUnknown } from '../../plan/change-addresses.ts';
import type { PaymentRecord } from '../../record.ts';
import { storeSigned } from '../../plan/store-signed.ts';
import { transition } from '../../store.ts';
import { readCoins } from '../../../coins/records.ts';
import type { Wallet } from '../../../platform.ts';

/** Returns the approved transaction with the application's signatures so far. */
export async function plannedAction(
  wallet: Wallet,
  { action, id }: PaymentRecord,
): Promise<{ plan: Plan<Coin>; unsigned: Unsigned }> {
  const unsigned = action?.unsigned;
  if (!action || !unsigned) throw new ServiceError('internal', { detail: `payment ${id} has nothing to sign` });
  const coins = await readCoins(wallet, unsigned.coins);
  const { inputs: given, version, lockTime } = action;
  const { outputs, feeSatoshis } = unsigned;
  return {
    plan: { given, inputs: coins as Coin[], outputs, changeIndexes: [], feeSatoshis, version, lockTime },
    unsigned,
  };
}

/** Returns the approved transaction without the missing signatures. */
export async function unsignedAction(wallet: Wallet, record: PaymentRecord): Promise<Transaction> {
  return unsignedTransaction((await plannedAction(wallet, record)).plan);
}

/**
 * Signs a `signable` payment with the application's unlocking scripts. The wallet's signatures cover all inputs and
 * outputs, so the approved transaction can't be changed.
 * @param record the payment, with the application's unlocking scripts
 * @returns the payment, or null if it is no longer `signable`
 * @throws ServiceError `wallet-locked`, `site-blocked`, `action-ended` (its allowance is gone), `unusable-input` (the
 * transaction that creates one of its coins was given up, refused or dropped)
 */
export async function signAction(wallet: Wallet, record: PaymentRecord): Promise<PaymentRecord | null> {
  const { plan, unsigned } = await plannedAction(wallet, record);
  const isStillUnlocked = await watchLock(wallet);
  const signed = await signPlan(wallet, plan);
  return transition(wallet, record.id, 'signable', async (now, tx) => {
    await refuseRevoked(wallet, tx, now);
    if (!isStillUnlocked()) throw new ServiceError('wallet-locked');
    await refuseUnknown(
      tx,
      now.origin,
      signed.transaction.inputs.map(({ txid, vout }) => outpoint(txid, vout)),
    );
    const { places } = unsigned;
    return storeSigned(wallet, tx, { ...now, action: record.action as ActionPart }, { plan, places }, signed);
  });
}
