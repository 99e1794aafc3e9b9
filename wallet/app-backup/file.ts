/** Exports the log to a file, and imports it into any wallet with the same recovery words. */
import * as z from 'zod/mini';
import { NETWORKS } from '../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { SealedEntry } from './block.ts';
import { networkInfo } from '../chain/network.ts';
import { announceChange } from '../events.ts';
import { appLogKey } from '../vault/app-log-key.ts';
import { fitting, sealBlock, toBase64 } from './block.ts';
import { merge } from './merge.ts';
import { Reading } from './reading.ts';
import { changeState, newWriter } from './state.ts';
import { syncAppLog } from './sync.ts';
import { allLogged } from '../app-log/records.ts';
import type { Wallet } from '../platform.ts';

const FORMAT = 'service-button app data';
const FORM = z.object({
  format: z.literal(FORMAT),
  /** Block format version (block.ts). */
  version: z.union([z.literal(1), z.literal(2)]),
  network: z.enum(NETWORKS),
  /** Identifies the recovery words that the file is encrypted for. */
  key: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
  writer: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
  blocks: z.array(z.string()).check(z.minLength(1), z.maxLength(10_000)),
});

/** Exports the encrypted log of applications' data. @throws ServiceError `wallet-locked` */
export async function exportFile(wallet: Wallet): Promise<{ file: string; entries: number }> {
  const [{ key, id }, { network }, writer] = [await appLogKey(wallet), await networkInfo(wallet), newWriter(wallet)];
  const logged = await allLogged(wallet);
  const blocks: string[] = [];
  const seal = async (entries: SealedEntry[], whole: boolean) => {
    const place = { network, writer, sequence: blocks.length + 1 };
    // The last block marks the log as complete, so a truncated file is detected.
    const heads = whole ? { [writer]: 0 } : {};
    const content = { entries: entries.map(({ entry, version, at }) => ({ entry, version, at })), heads, whole };
    blocks.push(toBase64(await sealBlock(wallet, key, place, content)));
  };
  for (let left = logged; left.length > 0;) {
    const entries = fitting(left.slice(0, 400), {});
    await seal(entries, false);
    const taken = new Set([left[0]?.key, ...entries.map((one) => one.key)]);
    left = left.filter((one) => !taken.has(one.key));
  }
  await seal([], true);
  await changeState(wallet, (state) => ({ ...state, exportedAt: wallet.now() }));
  announceChange(wallet);
  return {
    file: JSON.stringify({ format: FORMAT, version: 2, network, key: id, writer, blocks }),
    entries: logged.length,
  };
}

/**
 * Imports a file's entries, or none if the file is incomplete.
 * @returns the number of new entries
 * @throws ServiceError `app-log-damaged`, `app-log-other-words`, `wrong-network`, `wallet-locked`
 */
export async function importFile(wallet: Wallet, text: string): Promise<number> {
  const [{ key, id }, { network }] = [await appLogKey(wallet), await networkInfo(wallet)];
  const file = readForm(text);
  if (file.key !== id) throw new ServiceError('app-log-other-words');
  if (file.network !== network) throw new ServiceError('wrong-network');
  const reading = new Reading(key, network);
  const entries: SealedEntry[] = [];
  for (const [i, block] of file.blocks.entries())
    entries.push(...(await reading.open({ writer: file.writer, sequence: i + 1, block })));
  if (!reading.isSound || !reading.isWhole) throw new ServiceError('app-log-damaged');
  let taken = 0;
  await changeState(wallet, async (_, tx) => {
    taken = await merge(wallet, tx, entries, 'file');
    return undefined;
  });
  announceChange(wallet);
  void syncAppLog(wallet);
  return taken;
}

/** Parses a file. @throws ServiceError `app-log-damaged` */
function readForm(text: string): z.infer<typeof FORM> {
  try {
    return FORM.parse(JSON.parse(text));
  } catch (cause) {
    throw new ServiceError('app-log-damaged', { cause });
  }
}
