/**
 * Sends the whole balance to a recipient whose host issues the scripts. The amount and the scripts depend on each
 * other.
 */
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import type { TransactionOutput } from '../../../../protocol/bitcoin/transaction.ts';
import { fromHex } from '../../../../protocol/bitcoin/bytes.ts';
import { feeRate } from '../../../chain/network.ts';
import { everyCoin, availableCoins } from '../../../coins/choose.ts';
import { planMax } from '../../../transaction/plan.ts';
import { feesOfStored } from '../../plan/stored-fees.ts';
import type { CachedDestination } from './kept-destinations.ts';
import type { Wallet } from '../../../platform.ts';

/** Maximum number of requests to a host. Each request is for the amount that remained with the previous scripts. */
const MAX_HOST_REQUESTS = 6;

export interface SendMax {
  given: CachedDestination;
  feeSatoshis: bigint;
}

/**
 * Requests scripts until they match the remaining amount. The scripts may never match if a host issues more scripts for
 * a slightly higher amount. In that case, the few remaining satoshis increase the fee.
 * @param likely the recipient's probable scripts
 * @param others the outputs of the other recipients
 * @param ask requests scripts for an amount in satoshis; called again with different amounts
 * @throws ServiceError `insufficient-funds`, `network-unavailable`, `paymail-mismatch` (no match), and those of `ask`
 */
export async function sendMax(
  wallet: Wallet,
  likely: readonly Uint8Array[],
  others: readonly TransactionOutput[],
  ask: (satoshis: bigint) => Promise<CachedDestination>,
): Promise<SendMax> {
  const rate = await feeRate(wallet);
  const inputs = await everyCoin(availableCoins(wallet), rate);
  const stored = await feesOfStored(wallet, inputs);
  /** Returns the amount that remains if all coins are spent and these scripts are paid. */
  const room = (scripts: readonly Uint8Array[]) => {
    let { left, feeSatoshis } = planMax({
      inputs,
      outputs: [...others, ...scripts.map((lockingScript) => ({ satoshis: 0n, lockingScript }))],
      rate,
    });
    // The wallet rejects a transaction that is identical to a stored payment's.
    for (; stored.has(feeSatoshis); feeSatoshis += 1n) left -= 1n;
    if (left <= 0n) throw new ServiceError('insufficient-funds');
    return { left, feeSatoshis };
  };
  let wanted = room(likely).left;
  let best: SendMax | null = null;
  for (let round = 0; round < MAX_HOST_REQUESTS; round += 1) {
    const given = await ask(wanted);
    const { left, feeSatoshis } = room(given.resolved.scripts.map(({ script }) => fromHex(script)));
    if (left === wanted) return { given, feeSatoshis };
    if (left > wanted && (best === null || wanted > best.given.satoshis))
      best = { given, feeSatoshis: feeSatoshis + left - wanted };
    if (round > 0 && best) break;
    wanted = left;
  }
  if (!best)
    throw new ServiceError('paymail-mismatch', { detail: 'the host’s scripts never match the remaining amount' });
  return best;
}
