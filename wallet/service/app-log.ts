/** Client for the service's API that stores the log of applications' data. The log consists of encrypted blocks. */
import type * as z from 'zod/mini';
import {
  appendedBlock,
  appLogSize,
  blocksResponse,
  type appendBlock as appendBlockBody,
} from '../../protocol/http/app-log.ts';
import { parseJson } from '../chain/http.ts';
import { asAccount, call, serviceError } from './session.ts';
import type { Wallet } from '../platform.ts';

const PATH = '/api/v2/me/app-log';

/**
 * Appends a block. Idempotent.
 * @param at the expected service's origin; throws if the wallet has switched services
 * @returns the block's position
 * @throws ServiceError `app-log-conflict` (another block has the same ID), `app-log-full`, the service's own codes,
 * `service-unavailable`, `wallet-locked`
 */
export async function appendBlock(wallet: Wallet, at: string, json: z.infer<typeof appendBlockBody>): Promise<number> {
  const answer = await asAccount(wallet, (url, bearer) => call(wallet, url, `${PATH}/blocks`, { json, bearer }), at);
  const parsed = appendedBlock.safeParse(parseJson(answer.text));
  if (answer.status !== 200 || !parsed.success) throw serviceError(answer);
  return parsed.data.position;
}

/** Returns a page of blocks after a position. Throws the same errors as {@link appendBlock}. */
export async function listBlocks(wallet: Wallet, at: string, after: number): Promise<z.infer<typeof blocksResponse>> {
  const answer = await asAccount(
    wallet,
    (url, bearer) => call(wallet, url, `${PATH}/blocks?after=${after}`, { bearer }),
    at,
  );
  const parsed = blocksResponse.safeParse(parseJson(answer.text));
  if (answer.status !== 200 || !parsed.success) throw serviceError(answer);
  return parsed.data;
}

/** Removes all blocks up to a position. Idempotent. Throws the same errors as {@link appendBlock}. */
export async function removeBlocks(wallet: Wallet, at: string, through: number): Promise<void> {
  const answer = await asAccount(
    wallet,
    (url, bearer) => call(wallet, url, `${PATH}/removal`, { json: { through }, bearer }),
    at,
  );
  if (answer.status !== 200 || !appLogSize.safeParse(parseJson(answer.text)).success) throw serviceError(answer);
}
