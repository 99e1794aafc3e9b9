/** Implements `listOutputs` of the BSV wallet interface (BRC-100). */
import type { Brc100Args, Brc100Results } from '../../../protocol/brc100/methods.ts';
import type { AppOutput } from '../../baskets/app-output.ts';
import { outputsOf } from '../../baskets/list.ts';
import { beefOfList } from '../../chain/beef.ts';
import { networkInfo } from '../../chain/network.ts';
import { readTransaction, database } from '../../store/database.ts';
import { countHostRequests } from '../../request-limits/rate-limit.ts';
import { checkSoon } from '../../scan/basket-spend-check.ts';
import type { Caller } from '../caller.ts';
import { requireBaskets } from './baskets.ts';
import { dotted } from '../../coins/coin.ts';
import { memberFinder } from '../actions/result.ts';
import { actionsByTxid } from '../../baskets/actions.ts';
import type { Wallet } from '../../platform.ts';

type Args = Brc100Args<'listOutputs'>;

/**
 * Lists a basket's outputs. Outputs that aren't broadcast yet are listed as unspendable, and only for the site that
 * created them.
 */
export async function listOutputs(wallet: Wallet, args: Args, caller: Caller): Promise<Brc100Results['listOutputs']> {
  const { basket, tags, tagQueryMode, include, limit, offset, seekPermission } = args;
  await requireBaskets(wallet, [basket], caller, seekPermission);
  const { total, records } = await outputsOf(wallet, { basket, origin: caller.origin }, tags, tagQueryMode, {
    limit,
    offset,
  });
  checkSoon(
    wallet,
    caller.origin,
    records.map(({ outpoint }) => outpoint),
  );
  const labels = args.includeLabels ? await labelsOf(wallet, caller.origin, records) : null;
  return {
    totalOutputs: total,
    outputs: records.map((output) => ({
      ...shownOutput(output, args),
      ...(labels && { labels: labels.get(txidOf(output)) ?? [] }),
    })),
    ...(include === 'entire transactions' && { BEEF: await transactionsOf(wallet, records, caller.origin) }),
  };
}

const txidOf = ({ outpoint }: AppOutput) => outpoint.slice(0, 64);

function shownOutput(
  { outpoint, satoshis, script, customInstructions, tags, status }: AppOutput,
  { include, includeCustomInstructions, includeTags }: Args,
): Brc100Results['listOutputs']['outputs'][number] {
  return {
    outpoint: dotted(outpoint),
    satoshis: Number(satoshis),
    spendable: status === 'available',
    ...(include === 'locking scripts' && { lockingScript: script }),
    ...(includeCustomInstructions && customInstructions !== null && { customInstructions }),
    ...(includeTags && { tags }),
  };
}

async function labelsOf(wallet: Wallet, origin: string, outputs: readonly AppOutput[]): Promise<Map<string, string[]>> {
  const tx = readTransaction(await database(wallet));
  const found = new Map<string, string[]>();
  for (const txid of new Set(outputs.map(txidOf))) {
    const actions = (await actionsByTxid(tx, txid)).filter((action) => action.origin === origin);
    found.set(txid, [...new Set(actions.flatMap((action) => action.labels))]);
  }
  return found;
}

/** Returns the BEEF of the outputs' transactions. @throws ServiceError `too-many-requests` (the site's limit) */
async function transactionsOf(wallet: Wallet, outputs: readonly AppOutput[], origin: string): Promise<number[]> {
  // An empty list doesn't need the index, and the index's URL may still be unknown.
  const wocUrl = outputs.length === 0 ? '' : (await networkInfo(wallet)).wocUrl;
  const lookup = { find: memberFinder(wallet), takeTurn: () => countHostRequests(wallet, origin, 1) };
  return [...(await beefOfList(wallet, wocUrl, new Set(outputs.map(txidOf)), lookup))];
}
