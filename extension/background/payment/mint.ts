/**
 * A page of the wallet's own service asks to mint an asset that the user has described there. The page names the asset and
 * nothing else; once the user agrees, it is a payment that is reported to that service until it has it (process.ts).
 */
import { ServiceError } from '../../../protocol/errors.ts';
import type { PageParams, PageResults } from '../../../protocol/page-messages.ts';
import { readKey } from '../database.ts';
import { nextChange } from '../events.ts';
import { promptUser, type Client } from '../prompts/ask.ts';
import { askAsset } from '../service/assets.ts';
import { accountAt, readSettings } from '../settings.ts';
import { vaultStatus } from '../vault/vault.ts';
import { mintedTokenId, mintOf, type MintOf } from './mint-record.ts';
import { mintPrompt, tokenFor, type MintAnswer, type MintDetails } from './mint-prompt.ts';
import { processChanged } from './process.ts';
import { newReport, PATIENCE_ATTEMPTS, type PaymentRecord } from './record.ts';
import { readPayment, transition } from './transition.ts';
import { offerAgain } from './unsent.ts';

/** Nobody needs to be asked. */
class Known extends Error {
  readonly answer: MintAnswer;
  constructor(answer: MintAnswer) {
    super('known already');
    this.answer = answer;
  }
}

/**
 * Mints it, once, and answers when the network has the token and the service was told of it, or will be. What the wallet
 * has minted, or the service has a token of, is not minted again.
 * @param page `isTop`: it is in a frame of its own, by the browser's word
 * @throws ServiceError `wallet-not-set-up`, `permission-refused` (another site, or in a frame), `unknown-account`,
 *   `click-first`, `refused`, `approval-closed`, `busy`, `too-many-requests`, `site-blocked`, `page-gone`;
 *   the service's own code, `service-unavailable`, `asset-conflict` (the token that was minted before is not this asset's); why it was not paid; `payment-pending` (signed, and the network cannot be
 *   reached), `payment-contested` (the network refuses it, but may still take it)
 */
export async function requestMint(
  { assetId: named }: PageParams<'asset/mint'>,
  { isTop, ...page }: Client & { isTop: boolean },
): Promise<PageResults['asset/mint']> {
  if (!(await readKey('vault'))) throw new ServiceError('wallet-not-set-up');
  const service = new URL((await readSettings()).serviceUrl).origin;
  if (page.origin !== service || !isTop) throw new ServiceError('permission-refused');
  const of: MintOf = { assetId: named.toLowerCase(), service };
  const isByHand = page.userActivation === 'new' || page.userActivation === 'active';
  const made = await mintOf(of);
  if (made && isByHand) await reportAgain(made.id);
  const answer = made ? { paymentId: made.id } : await askUser(of, page, isByHand);
  return { tokenId: 'tokenId' in answer ? answer.tokenId : await mintedToken(answer.paymentId) };
}

async function askUser(of: MintOf, page: Client, isByHand: boolean): Promise<MintAnswer> {
  const { message } = page;
  try {
    return await promptUser(
      mintPrompt,
      { ...page, message: `mint ${of.assetId}` },
      async () => {
        if (!isByHand) throw new ServiceError('click-first');
        return { assetId: of.assetId, message, ...(await describedNow(of)) };
      },
      undefined,
      ({ details }) => details.message !== message,
    );
  } catch (error) {
    if (error instanceof Known) return error.answer;
    throw error;
  }
}

/** @returns what would be minted; an asset that is null where the wallet must be unlocked to ask for that */
async function describedNow(of: MintOf): Promise<Pick<MintDetails, 'asset' | 'earlier'>> {
  const made = await mintOf(of); // by another page's question, a moment ago
  if (made) throw new Known({ paymentId: made.id });
  if ((await accountAt()) !== of.service) throw new ServiceError('unknown-account');
  if ((await vaultStatus()).locked) return { asset: null };
  const described = await askAsset(of.assetId, of.service);
  if (described.tokenId !== null) throw new Known({ tokenId: described.tokenId });
  return tokenFor(described);
}

/** A person asks again: perhaps the service has forgotten, or could not be reached. Told twice, it changes nothing. */
async function reportAgain(id: string): Promise<void> {
  await transition(id, ['broadcast', 'settled'], () => ({ state: 'broadcast', report: newReport('waiting') }));
}

/** Waits until the network has it and the service was told once; a report that failed is stored, and sent again. */
async function mintedToken(id: string): Promise<string> {
  await offerAgain(id);
  const before = (await readPayment(id))?.broadcast.attempts ?? 0;
  void processChanged(id);
  for (;;) {
    const change = nextChange(id);
    const record = await readPayment(id);
    if (!record) throw new ServiceError('not-paid');
    if (record.error) throw new ServiceError(record.error.code, { message: record.error.message });
    const { state, signed, trouble, broadcast, report, asset } = record;
    // Perhaps it is another asset's: asked once more, this one is minted.
    if (asset?.mint?.isEarlier && report.state === 'refused') throw new ServiceError('asset-conflict');
    if (signed && (state === 'broadcast' || state === 'settled') && (await isTold(record)))
      return mintedTokenId(signed.txid);
    if (state === 'signed' && (trouble === 'refused' || record.replacedBy)) throw new ServiceError('payment-contested');
    if (state === 'signed' && broadcast.attempts >= PATIENCE_ATTEMPTS && broadcast.attempts > before)
      throw new ServiceError(trouble === 'contested' ? 'payment-contested' : 'payment-pending');
    await change;
  }
}

async function isTold({ report, asset }: PaymentRecord): Promise<boolean> {
  return report.state !== 'waiting' || report.attempts > 0 || (await accountAt()) !== asset?.mint?.service;
}
