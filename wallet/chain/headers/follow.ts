/**
 * Follows the network's chain of headers, from each source in turn: every header hashes to its id, has the work that it
 * claims and links to the one before it (Bitcoin white paper, section 8). Another branch is followed only if it has
 * more work than the one it replaces.
 */
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { headerSources, noteReached, type HeaderSource } from './header-sources.ts';
import { adoptBranch, heldAround } from './headers.ts';
import { checkEase, checkHeader, leastWork, totalWork } from './proof.ts';
import type { Header } from '../whats-on-chain.ts';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import type { NetworkInfo } from '../network-info.ts';
import { heldFrom, heldHeader, heldTip } from './store.ts';
import { part, type Wallet } from '../../platform.ts';

/** Maximum number of missed blocks to fetch. At three requests a second, more would take over 20 seconds. */
const LONGEST_GAP = 60;
/** How far below the last block the wallet starts to follow (blocks): deeper than almost any reorganization. */
const ANCHOR_DEPTH = 12;
/** The number of blocks that another branch can replace. */
const DEEPEST = 100;

const refusal = (detail: string) => new ServiceError('invalid-proof', { detail });

/** A source's branch that this worker rejected, with the tip it was compared with, so that it isn't checked again. */
const refused = part(() => new Map<string, { hash: string; tip: string; fault: ServiceError }>());
const memoryOf = part(() => ({
  running: null as Promise<void> | null,
}));

/**
 * Brings the followed chain up to the network's last block, by the work of each source's chain. A source that is down,
 * lies, or follows a chain of less work is harmless if another one is up to date. Concurrent calls share the run.
 * @throws ServiceError `invalid-proof` (a wrong header, a branch of less work, or one that goes too deep; nothing has
 * changed then), `network-unavailable`
 */
export function followChain(wallet: Wallet, info: NetworkInfo): Promise<void> {
  const memory = memoryOf(wallet);
  memory.running ??= follow(wallet, info).finally(() => {
    memory.running = null;
  });
  return memory.running;
}

/** Waits for a run in progress and forgets rejected branches. Called before the stored headers are deleted. */
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
      // Another source's error matters only if this source doesn't lag.
      isCurrent ||= (await heldTip(wallet))?.hash === hash;
    } catch (error) {
      noteReached(wallet, source, error);
      fault ??= error;
    }
  }
  if (fault !== null && !isCurrent) throw fault;
}

/** A source, and the network whose rules apply to its headers. */
interface From {
  source: HeaderSource;
  network: Network;
}

/** Brings the followed chain up to a source's. Returns the hash of the source's last block. */
async function followSource(wallet: Wallet, from: From): Promise<string> {
  const last = await from.source.tip();
  // Stored already, so nothing is new, or the source is behind.
  if (await heldHeader(wallet, last.hash)) return last.hash;
  const tip = await heldTip(wallet);
  const before = refused(wallet).get(from.source.url);
  if (before?.hash === last.hash && before.tip === tip?.hash) throw before.fault;
  if (tip && last.height - tip.height <= LONGEST_GAP) {
    await followTo(wallet, from, last, tip);
    return last.hash;
  }
  if (tip) {
    // The blocks in between are not fetched, but the followed chain must still be valid, unless a branch with more work
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

/** Adopts the branch that ends in a block. Returns false if it has no more work than the stored one. */
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
  const held = await heldFrom(wallet, tip.height - DEEPEST);
  const floor = (held[0] as Header).height;
  const branch = await branchTo(from, last, floor, new Map(held.map((header) => [header.hash, header])));
  const links = held.some(({ hash }) => hash === branch[0]?.previousblockhash);
  // If the wallet has fewer headers, the branch may start below all of them, and more work wins.
  if (!links && floor === tip.height - DEEPEST) throw refuse('too deep');
  const outcome = await adoptBranch(wallet, branch);
  if (outcome === 'less work') throw refuse(outcome);
  return outcome === 'adopted';
}

/**
 * Fetches the branch that ends in a block, by hash from there down: to a stored header, excluded, or to the height
 * `floor`.
 * @returns lowest first, each checked; empty if the block is below `floor`
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
    if (!header.previousblockhash !== (height === 0)) throw refusal('no block before it');
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
