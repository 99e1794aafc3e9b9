/** Checks the invariants of a world at rest. */
import { toHex } from '../protocol/bitcoin/bytes.ts';
import { counted, NOTHING, type RankedCoin } from '../wallet/coins/coin.ts';
import type { PaymentRecord } from '../wallet/payments/record.ts';
import { isLive } from '../wallet/payments/move.ts';
import { checkAssetsListed } from './asset-invariants.ts';
import { storedTransactions, unprovable } from './unprovable.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';
import type { Browser } from './world/browser.ts';
import type { Deal } from './world/deals.ts';
import { lockOf } from './world/ledger-index.ts';
import type { Network } from './world/network.ts';
import type { OwnScripts } from './world/words-search.ts';

/**
 * Checks that nothing is pending, and that the wallet and the network agree.
 * @param reported transactions reported to the shop, by ID, with their deals
 * @throws Violation
 */
export function checkRest(world: World, own: OwnScripts, reported: ReadonlyMap<string, Deal>): void {
  const { browser, other, deals, network, browsers } = world;
  const { data } = browser;
  const payments = data.all<PaymentRecord>('payments');
  for (const deal of deals) {
    const name = `${deal.requestId} of ${deal.origin || 'the wallet'}`;
    const isMined = [...deal.txids].some((txid) => network.blockOf(txid));
    const isHere = deal.browser === browsers;
    const record = payments.find(({ requestId }) => requestId === deal.requestId);
    if (isHere && (deal.yes === 'taken' || deal.txid !== null)) {
      // Payments that ended unsigned are deleted after a day, by the browser's clock.
      if (!record && deal.txid === null && deal.txids.size === 0 && world.periods > 1) continue;
      if (!record) throw new Violation('what was acknowledged is known', name);
      const isLost = record.state === 'failed' || record.state === 'refused' || !world.waiting.includes(record);
      if (!isMined && !isLost)
        throw new Violation('one transaction for each yes', `${name} is ${record.state}, in no block`);
    }
    if (isHere && record?.height !== null && record?.height !== undefined && !isMined)
      throw new Violation('what is confirmed is in a block', name);
    if (isHere && deal.txid !== null && record?.signed && record.signed.txid !== deal.txid)
      throw new Violation('one transaction for each yes', `${name} was told ${deal.txid}`);
    if (isMined && isHere && record?.height === null)
      throw new Violation('what is in a block is confirmed', `${name} is ${record.state}`);
    if (isMined && isHere && record && isLive(record)) checkElsewhere(network, deal, record);
    if (isHere && deal.origin !== '' && !deal.isLeft && !deal.answer) throw new Violation('who asks is answered', name);
  }
  world.signIns.demandAnswers();
  for (const [txid, deal] of reported)
    if (deal.browser === browsers && !deal.txids.has(txid))
      throw new Violation('nobody else is handed a payment', `${txid} was never broadcast`);
  const waiting = world.waiting.filter(({ state }) => state !== 'broadcast' && state !== 'settled');
  if (waiting.length > 0)
    throw new Violation(
      'everything comes to rest',
      waiting.map((one) => `${one.requestId} is ${one.state} ${one.trouble ?? ''}`).join(', '),
    );
  if (data.all('requests').length > 0) throw new Violation('everything comes to rest', 'a request is left');
  if (data.all<{ outcome: unknown }>('prompts').some(({ outcome }) => outcome === null))
    throw new Violation('everything comes to rest', 'a prompt is left');
  for (const one of [browser, other]) if (one) checkCoins(one, network, own);
  // A payment that can't be proven to have failed also holds its tokens.
  if (unprovable(data, network).size === 0) checkAssetsListed(world, own);
}

/**
 * Throws unless every service and host that must be notified of a mined payment was notified or has permanently
 * rejected the notification.
 */
function checkElsewhere(
  { hosts, seen }: Network,
  deal: Deal,
  { id, signed, deliveries, serviceReport, report }: PaymentRecord,
): void {
  if (deal.script === null) {
    const { outputs = [] } = seen.get(signed?.txid ?? '') ?? {};
    const reference =
      outputs.flatMap((one) => hosts.given.get(lockOf(toHex(one.lockingScript))) ?? [])[0]?.reference ?? '';
    const isDelivered =
      hosts.taken.get(reference) === signed?.txid && deliveries.every(({ state }) => state === 'done');
    if (!isDelivered && !hosts.declined.has(reference))
      throw new Violation('what is paid is delivered', `${deal.requestId} is not`);
  }
  const isTold = serviceReport?.state === 'done' || (serviceReport?.state === 'by-account' && report.state === 'done');
  if (deal.isOfShop && !(isTold && hosts.reports.has(id)))
    throw new Violation('what is paid is reported', `${deal.requestId}: ${serviceReport?.state ?? 'to nobody'}`);
}

function checkCoins({ data }: Browser, network: Network, own: OwnScripts): void {
  const there = new Set<string>();
  for (const script of own.keys())
    for (const outpoint of network.index.paying(script)) if (network.index.isUnspent(outpoint)) there.add(outpoint);
  const coins = data.all<RankedCoin>('coins');
  const held = new Set(coins.filter(({ status }) => status === 'available').map(({ outpoint }) => outpoint));
  // Only the user can end a payment that can't be proven to have failed. Until then, it holds its coins.
  const lost = unprovable(data, network);
  const isHeld = ({ paymentId }: RankedCoin) => paymentId !== null && lost.has(paymentId);
  const kept = new Set(coins.filter(isHeld).map(({ outpoint }) => outpoint));
  for (const one of there)
    if (!held.has(one) && !kept.has(one))
      throw new Violation(
        'no coin is lost',
        `${one} is ${coins.find(({ outpoint }) => outpoint === one)?.status ?? 'unknown'}`,
      );
  for (const { outpoint, txid, status, height } of coins)
    if (status === 'available' && height !== (network.blockOf(txid)?.height ?? null))
      throw new Violation('what is confirmed is in a block', `${outpoint} at ${height}`);
  for (const one of held) if (!there.has(one)) throw new Violation('no coin is made up', one);
}

/**
 * Checks that a browser's balance doesn't contain outputs of two transactions that can't both be mined, as far as the
 * browser knows their inputs.
 * @throws Violation
 */
export function checkCounted({ data }: Browser, network: Network): void {
  const stored = storedTransactions(data);
  const spenders = new Map<string, { by: string; coin: string }>();
  const read = new Set<string>();
  const add = (txid: string, coin: string) => {
    if (read.has(txid)) return;
    read.add(txid);
    for (const outpoint of stored.get(txid)?.spends ?? []) {
      const before = spenders.get(outpoint);
      if (before && before.by !== txid) throw new Violation('no money counts twice', `${coin} and ${before.coin}`);
      spenders.set(outpoint, { by: txid, coin });
      add(outpoint.slice(0, 64), coin);
    }
  };
  const coins = data.all<RankedCoin>('coins').filter((one) => counted(NOTHING, undefined, one).satoshis > 0n);
  for (const { txid, outpoint, status } of coins)
    if (status === 'available' || !isCovered(network, txid, stored.get(txid)?.spends ?? [], coins))
      add(txid, `${outpoint} (${status})`);
}

/** True if the change of a payment that isn't on the network counts instead of coins that only the payment spends. */
function isCovered(network: Network, txid: string, spends: readonly string[], coins: readonly RankedCoin[]): boolean {
  const change = coins.reduce((sum, one) => (one.txid === txid ? sum + one.satoshis : sum), 0n);
  const free = spends.reduce((sum, outpoint) => {
    const [from = '', vout] = outpoint.split(':');
    const output = network.ledger.known.get(from)?.transaction.outputs[Number(vout)];
    return output && !network.index.spenderOf(from, Number(vout), txid) ? sum + output.satoshis : sum;
  }, 0n);
  return change <= free;
}
