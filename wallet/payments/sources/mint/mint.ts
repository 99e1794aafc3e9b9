/**
 * Handles requests from pages of the wallet's service to mint an asset that the user has described there. The page
 * sends only the asset's ID. The approved mint is a payment that is reported until that service acknowledges it.
 */
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import type { PageParams, PageResults } from '../../../../protocol/messages/page-messages.ts';
import { readKey } from '../../../store/database.ts';
import { promptUser, type Client } from '../../../prompts/request.ts';
import { fetchAsset } from '../../../service/assets.ts';
import { accountAt, readSettings } from '../../../settings.ts';
import { vaultStatus } from '../../../vault/vault.ts';
import { mintedTokenId, mintOf, type MintOf } from '../../mint-record.ts';
import { mintPrompt, tokenFor, type MintResult, type MintDetails } from './mint-prompt.ts';
import { outcomeOf, stuckCode, unlessEnded } from '../../outcome.ts';
import { processChanged, offerAgain } from '../../runner/runner.ts';
import type { PaymentRecord } from '../../record.ts';
import { newReport } from '../../start.ts';
import { isAnswerable } from '../../move.ts';
import { readPayment, transition } from '../../store.ts';
import type { Wallet } from '../../../platform.ts';

/** Thrown if no prompt is needed, because the mint exists. */
class Known extends Error {
  readonly answer: MintResult;
  constructor(answer: MintResult) {
    super('known already');
    this.answer = answer;
  }
}

/**
 * Mints the asset, once, and returns when the network has the token and the first report has been attempted. Mints no
 * second token if the wallet has already minted one or the service has one.
 * @param page `isTop` is true unless the browser reports that the page is in a frame
 * @throws ServiceError `wallet-not-set-up`, `permission-refused` (another site, or in a frame), `unknown-account`,
 * `click-first`, `refused`, `approval-closed`, `busy`, `too-many-requests`, `site-blocked`, `page-gone`, the service's
 * own code, `service-unavailable`, `asset-conflict` (the earlier token belongs to a different asset), the reason why it
 * was not paid, `payment-pending` (signed, but the network is unreachable), `payment-contested` (the network refused
 * it, but may still accept it)
 */
export async function requestMint(
  wallet: Wallet,
  { assetId: named }: PageParams<'asset/mint'>,
  { isTop, ...page }: Client & { isTop: boolean },
): Promise<PageResults['asset/mint']> {
  if (!(await readKey(wallet, 'vault'))) throw new ServiceError('wallet-not-set-up');
  const service = new URL((await readSettings(wallet)).serviceUrl).origin;
  if (page.origin !== service || !isTop) throw new ServiceError('permission-refused');
  const of: MintOf = { assetId: named.toLowerCase(), service };
  const isByHand = page.userActivation === 'new' || page.userActivation === 'active';
  const made = await mintOf(wallet, of);
  if (made && isByHand) await reportAgain(wallet, made.id);
  const answer = made ? { paymentId: made.id } : await promptForMint(wallet, of, page, isByHand);
  return { tokenId: 'tokenId' in answer ? answer.tokenId : await mintedToken(wallet, answer.paymentId) };
}

async function promptForMint(wallet: Wallet, of: MintOf, page: Client, isByHand: boolean): Promise<MintResult> {
  const { message } = page;
  try {
    return await promptUser(
      wallet,
      mintPrompt(wallet),
      { ...page, message: `mint ${of.assetId}` },
      async () => {
        if (!isByHand) throw new ServiceError('click-first');
        return { assetId: of.assetId, message, ...(await describedNow(wallet, of)) };
      },
      undefined,
      ({ details }) => details.message !== message,
    );
  } catch (error) {
    if (error instanceof Known) return error.answer;
    throw error;
  }
}

/** Returns the details of the prompt. `asset` is null if the wallet must be unlocked to read it. @throws Known */
async function describedNow(wallet: Wallet, of: MintOf): Promise<Pick<MintDetails, 'asset' | 'earlier'>> {
  const made = await mintOf(wallet, of); // another page's prompt may have just minted it
  if (made) throw new Known({ paymentId: made.id });
  if ((await accountAt(wallet)) !== of.service) throw new ServiceError('unknown-account');
  if ((await vaultStatus(wallet)).locked) return { asset: null };
  const described = await fetchAsset(wallet, of.assetId, of.service);
  if (described.tokenId !== null) throw new Known({ tokenId: described.tokenId });
  return tokenFor(wallet, described);
}

/** Reports the mint again, in case the service lost the token or was unreachable. Reports are idempotent. */
async function reportAgain(wallet: Wallet, id: string): Promise<void> {
  await transition(wallet, id, ['broadcast', 'settled'], () => ({
    event: 'report-again',
    report: newReport('waiting'),
  }));
}

/** Waits until the network has the token and one report has been attempted. Failed reports are retried later. */
async function mintedToken(wallet: Wallet, id: string): Promise<string> {
  const known = await readPayment(wallet, id);
  const before = known ? await offerAgain(wallet, known) : 0;
  void processChanged(wallet, id);
  return outcomeOf(wallet, id, async (read) => {
    const record = unlessEnded(read);
    const { signed, report, asset } = record;
    // The earlier token belongs to a different asset. A repeated request mints a new token.
    if (asset?.mint?.isEarlier && report.state === 'refused') throw new ServiceError('asset-conflict');
    if (signed && isAnswerable(record) && (await isTold(wallet, record))) return mintedTokenId(signed.txid);
    const stuck = stuckCode(record, before);
    if (stuck) throw new ServiceError(stuck);
    return undefined;
  });
}

async function isTold(wallet: Wallet, { report, asset }: PaymentRecord): Promise<boolean> {
  return report.state !== 'waiting' || report.attempts > 0 || (await accountAt(wallet)) !== asset?.mint?.service;
}
