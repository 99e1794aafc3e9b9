/**
 * Follows the network's header chain, from each source in turn. Each header must hash to its ID, meet its target and
 * link to the previous one (Bitcoin white paper, section 8). A branch replaces part of the chain only if it has more
 * work.
 */
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { headerSources, noteReached, type HeaderSource } from './header-sources.ts';
import { adoptBranch, heldAround } from './headers.ts';
import { checkEase, checkHeader, leastWork, totalWork } from './proof.ts';
import type { Header } from '../whats-on-chain.ts';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import type { NetworkInfo } from '../network-info.ts';
import { DEEPEST_REORG, heldFrom, heldHeader, heldTip } from './store.ts';
import { part, type Wallet } from '../../platform.ts';

/** Maximum number of missed blocks to fetch. More would take over 20 seconds at three requests per second. */
const MAX_MISSED_BLOCKS = 60;
/** How far below the tip the wallet starts to follow headers (blocks): deeper than almost any reorganization. */
const ANCHOR_DEPTH = 12;

const refusal = (detail: string) => new ServiceError('invalid-proof', { detail });

/** Each source's rejected branch, with our tip at the time, so the branch isn't checked again. */
const refused = part(() => new Map<string, { hash: string; tip: string; fault: ServiceError }>());
const memoryOf = part(() => ({
  running: null as Promise<void> | null,
}));

/**
 * Updates the followed chain to the tip of the source with the most work. A source that is down, returns false data or
 * follows a chain with less work does no harm if another source is up to date. Concurrent calls share one run.
 * @throws ServiceError `invalid-proof` (an invalid header, a branch with less work, or a reorganization that is too
 * deep; the chain remains unchanged), `network-unavailable`
 */
export function followChain(wallet: Wallet, info: NetworkInfo): Promise<void> {
  const memory = memoryOf(wallet);
  memory.running ??= follow(wallet, info).finally(() => {
    memory.running = null;
  });
  return memory.running;
}

/** Waits for a run in progress and forgets rejected branches. Called before stored headers are deleted. */
export async function unfollow(wallet: Wallet): Promise<void> {
  await memoryOf(wallet).running?.catch(() => undefined);
  refused(wallet).clear();
}

async function follow(wallet: Wallet, info: NetworkInfo): Promise<void> {
  let fault: unknown = null;
  let isCurrent = false;
  for (const source of headerSources(wallet, info)) {
    try {
      const hash = await followSource(wallet, { source, network: info.network });
      noteReached(wallet, source);
      // Errors from other sources matter only if no source confirms our tip.
      isCurrent ||= (await heldTip(wallet))?.hash === hash;
    } catch (error) {
      noteReached(wallet, source, error);
      fault ??= error;
    }
  }
  if (fault !== null && !isCurrent) throw fault;
}

/** A header source, and the network whose rules its headers must meet. */
interface From {
  source: HeaderSource;
  network: Network;
}

/** Updates the followed chain to a source's tip. Returns the hash of that tip. */
async function followSource(wallet: Wallet, from: From): Promise<string> {
  const last = await from.source.tip();
  // The source has nothing new, or lags behind the wallet.
  if (await heldHeader(wallet, last.hash)) return last.hash;
  const tip = await heldTip(wallet);
  const before = refused(wallet).get(from.source.url);
  if (before?.hash === last.hash && before.tip === tip?.hash) throw before.fault;
  if (tip && last.height - tip.height <= MAX_MISSED_BLOCKS) {
    await followTo(wallet, from, last, tip);
    return last.hash;
  }
  if (tip) {
    // The gap is too long to fetch. Our tip must still be in the source's chain, unless a branch with more work
    // replaces it.
    const there = await headerAt(from, tip.height);
    if (
      there.hash !== tip.hash &&
      !(await followTo(wallet, from, await headerAt(from, tip.height + ANCHOR_DEPTH), tip))
    )
      return last.hash;
  }
  const branch = await branchTo(from, last, Math.max(0, last.height - ANCHOR_DEPTH), new Map());
  const least = leastWork(await heldAround(wallet, last.height - ANCHOR_DEPTH), from.network);
  if (totalWork(branch) < least) throw refusal('too little work after a gap');
  await adoptBranch(wallet, branch);
  return last.hash;
}

/** Adopts the branch up to the block `last`. Returns false if it has only as much work as the stored branch. */
async function followTo(
  wallet: Wallet,
  from: From,
  last: { hash: string; height: number },
  tip: Header,
): Promise<boolean> {
  const refuse = (detail: string) => {
    const fault = refusal(detail);
    refused(wallet).set(from.source.url, { hash: last.hash, tip: tip.hash, fault });
    return fault;
  };
  const held = await heldFrom(wallet, tip.height - DEEPEST_REORG);
  const floor = (held[0] as Header).height;
  const branch = await branchTo(from, last, floor, new Map(held.map((header) => [header.hash, header])));
  const links = held.some(({ hash }) => hash === branch[0]?.previousblockhash);
  // With fewer stored headers, a branch that starts below all of them is accepted if it has more work.
  if (!links && floor === tip.height - DEEPEST_REORG) throw refuse('too deep');
  const outcome = await adoptBranch(wallet, branch);
  if (outcome === 'less work') throw refuse(outcome);
  return outcome === 'adopted';
}

/**
 * Fetches a branch backwards from the block `last`, down to the first stored header (excluded) or to the height
 * `floor`.
 * @returns the checked headers, lowest first; empty if the block is below `floor`
 */
async function branchTo(
  from: From,
  last: { hash: string; height: number },
  floor: number,
  held: ReadonlyMap<string, Header>,
): Promise<Header[]> {
  const branch: Header[] = [];
  let { hash } = last;
  for (let height = last.height; height >= floor; height -= 1) {
    const header = held.get(hash) ?? (await headerOf(from, hash));
    if (header.hash !== hash || header.height !== height) throw refusal('another block');
    if (!header.previousblockhash !== (height === 0)) throw refusal('previous block missing');
    if (held.has(hash)) break;
    branch.unshift(header);
    hash = header.previousblockhash ?? '';
  }
  const before: Header[] = [];
  for (let header = held.get(hash); header; header = held.get(header.previousblockhash ?? '')) before.unshift(header);
  checkEase(branch, before, from.network);
  return branch;
}

async function headerAt(from: From, height: number): Promise<Header> {
  const header = await headerOf(from, height);
  if (header.height !== height) throw refusal('another height');
  return header;
}

async function headerOf(from: From, block: number | string): Promise<Header> {
  const header = await from.source.header(block);
  if (!header) throw new ServiceError('network-unavailable', { detail: 'no header' });
  checkHeader(header, from.network);
  return header;
}
