/** Checks the invariants of tokens and ordinals. */
import { toHex } from '../protocol/bitcoin/bytes.ts';
import type { Transaction } from '../protocol/bitcoin/transaction.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';
import type { Deal } from './world/deals.ts';
import { lockOf } from './world/ledger-index.ts';
import { claimedBy, holdings, type TokenHolding, type Holdings } from './world/token-ledger.ts';
import type { OwnScripts } from './world/words-search.ts';

/** Throws if a transaction spends the wallet's tokens or ordinals and its outputs don't contain them. */
export function checkAssetsKept({ network }: World, own: OwnScripts, transaction: Transaction, txid: string): void {
  const { inputs, outputs } = transaction;
  const spent = inputs.flatMap((input) => {
    const { lockingScript } = network.transactionOf(input.txid)?.outputs[input.vout] ?? {};
    return lockingScript && own.has(toHex(lockingScript)) ? (network.tokens.heldAt(input.txid, input.vout) ?? []) : [];
  });
  if (spent.length === 0) return;
  const kept = outputs.flatMap((_, vout) => network.tokens.heldAt(txid, vout) ?? []);
  const isKept = (held: TokenHolding) =>
    'ordinal' in held
      ? kept.some((one) => 'ordinal' in one && one.ordinal === held.ordinal)
      : claimedBy(transaction, held.token) === network.tokens.spentBy(transaction, held.token);
  const lost = spent.find((held) => !isKept(held));
  if (lost) throw new Violation('no token is lost', `${nameOf(lost)} in ${txid}`);
}

/** Throws if the recipient of an asset doesn't receive exactly what the user approved. */
export function checkAssetSent({ network }: World, deal: Deal, outputs: Transaction['outputs'], txid: string): void {
  if (deal.asset === null) return;
  const vout = outputs.findIndex(({ lockingScript }) => isFor(deal, network.hosts.given, toHex(lockingScript)));
  const held = network.tokens.heldAt(txid, vout);
  if (text(held) !== text(deal.asset))
    throw new Violation('as much as was agreed', `${deal.requestId}: ${text(held)} instead of ${text(deal.asset)}`);
}

const isFor = ({ script, to }: Deal, given: ReadonlyMap<string, { to: string }>, locking: string) =>
  script === null ? given.get(lockOf(locking))?.to === to : lockOf(locking) === script;

/**
 * Throws if the wallet doesn't list exactly the assets that its recovery words restore. Called when the world is at
 * rest.
 */
export function checkAssetsListed({ network, assets }: World, own: OwnScripts): void {
  if (!assets.areUsed) return;
  const there = network.tokens.holdingsOf(own.keys());
  if (text(assets.listed) !== text(there))
    throw new Violation('what is held is listed', `${text(assets.listed)} instead of ${text(there)}`);
}

/** Returns the confirmed assets that this wallet sent to the other wallet. */
export function sentElsewhere({ deals, network }: World): Holdings {
  const isMined = ({ txids }: Deal) => [...txids].some((txid) => network.blockOf(txid));
  const arrived = deals.filter((deal) => deal.script !== null && deal.asset !== null && isMined(deal));
  return holdings(arrived.flatMap(({ asset }) => asset ?? []));
}

const nameOf = (held: TokenHolding) =>
  'token' in held ? `${held.units} of ${held.token}` : `the ordinal ${held.ordinal}`;
export const text = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}` : one));
