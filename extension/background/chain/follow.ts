/**
 * Follows the network's chain of headers: every one hashes to its id, has cost the work that it claims and links to the
 * one before it (Bitcoin white paper, section 8). Another branch is followed only where it has more work than what it
 * replaces.
 */
import { ServiceError } from '../../../protocol/errors.ts';
import { adoptBranch, heldAround, heldFrom, heldHeader, heldTip } from './headers.ts';
import { checkEase, checkHeader, leastWork, totalWork } from './proof.ts';
import { blockHeader, chainTip, type Header } from './whats-on-chain.ts';
import type { NetworkInfo } from './network-info.ts';

/** Blocks. At the three requests a second of the public service, more than this many would take over 20 seconds. */
const LONGEST_GAP = 60;
/**
 * How far below the last block the wallet begins to follow, in blocks: deeper than all but the rarest reorganisations.
 */
const ANCHOR_DEPTH = 12;
/** How many of its blocks the wallet lets another branch replace. */
const DEEPEST = 100;

const refusal = (detail: string) => new ServiceError('invalid-proof', { detail });

/**
 * The last block of a branch that this worker rejected, and the tip that it was compared with: asking again would
 * change nothing.
 */
let refused: { hash: string; tip: string; fault: ServiceError } | null = null;
let running: Promise<void> | null = null;

/**
 * Brings the followed chain up to the network's last block. Calls that come meanwhile share the run.
 * @throws ServiceError `invalid-proof` (a wrong header, a branch of less work, or one that goes too deep; nothing has
 *   changed then), `network-unavailable`
 */
export function followChain(info: NetworkInfo): Promise<void> {
  running ??= follow(info).finally(() => {
    running = null;
  });
  return running;
}

/** Waits for a run that is under way, and forgets what was refused: before what is held is forgotten. */
export async function unfollow(): Promise<void> {
  await running?.catch(() => undefined);
  refused = null;
}

async function follow(info: NetworkInfo): Promise<void> {
  const last = await chainTip(info.wocUrl);
  // Stored already: nothing is new, or the index is behind its earlier answer.
  if (await heldHeader(last.hash)) return;
  const tip = await heldTip();
  if (refused?.hash === last.hash && refused.tip === tip?.hash) throw refused.fault;
  if (tip && last.height - tip.height <= LONGEST_GAP) {
    await followTo(info, last, tip);
    return;
  }
  if (tip) {
    // The blocks between are not fetched, but what was followed before must still hold, or give way to more work.
    const there = await headerAt(info, tip.height);
    if (there.hash !== tip.hash && !(await followTo(info, await headerAt(info, tip.height + ANCHOR_DEPTH), tip)))
      return;
  }
  const branch = await branchTo(info, last, Math.max(0, last.height - ANCHOR_DEPTH), new Map());
  const least = leastWork(await heldAround(last.height - ANCHOR_DEPTH), info.network);
  if (totalWork(branch) < least) throw refusal('too little work after a gap');
  await adoptBranch(branch);
}

/** Takes over the branch that ends in a block. Returns false where it has no more work than what is held. */
async function followTo(info: NetworkInfo, last: { hash: string; height: number }, tip: Header): Promise<boolean> {
  const refuse = (detail: string) => {
    const fault = refusal(detail);
    refused = { hash: last.hash, tip: tip.hash, fault };
    return fault;
  };
  const held = await heldFrom(tip.height - DEEPEST);
  const floor = (held[0] as Header).height;
  const branch = await branchTo(info, last, floor, new Map(held.map((header) => [header.hash, header])));
  const links = held.some(({ hash }) => hash === branch[0]?.previousblockhash);
  // Where the wallet holds less than that many, the branch may leave it below all that is held: more work decides.
  if (!links && floor === tip.height - DEEPEST) throw refuse('too deep');
  const outcome = await adoptBranch(branch);
  if (outcome === 'less work') throw refuse(outcome);
  return outcome === 'adopted';
}

/**
 * The branch that ends in a block, fetched by hash from there down: to a held header, left out, or to the height
 * `floor`.
 * @returns lowest first, each checked; none where the block is below `floor`
 */
async function branchTo(
  info: NetworkInfo,
  last: { hash: string; height: number },
  floor: number,
  held: ReadonlyMap<string, Header>,
): Promise<Header[]> {
  const branch: Header[] = [];
  let { hash } = last;
  for (let height = last.height; height >= floor; height -= 1) {
    const header = held.get(hash) ?? (await headerOf(info, hash));
    if (header.hash !== hash || header.height !== height) throw refusal('another block');
    if (!header.previousblockhash !== (height === 0)) throw refusal('no block before it');
    if (held.has(hash)) break;
    branch.unshift(header);
    hash = header.previousblockhash ?? '';
  }
  const before: Header[] = [];
  for (let header = held.get(hash); header; header = held.get(header.previousblockhash ?? '')) before.unshift(header);
  checkEase(branch, before, info.network);
  return branch;
}

async function headerAt(info: NetworkInfo, height: number): Promise<Header> {
  const header = await headerOf(info, height);
  if (header.height !== height) throw refusal('another height');
  return header;
}

async function headerOf(info: NetworkInfo, block: number | string): Promise<Header> {
  const header = await blockHeader(info.wocUrl, block);
  if (!header) throw new ServiceError('network-unavailable', { detail: 'no header' });
  checkHeader(header, info.network);
  return header;
}
