/**
 * The prompt for a mint, whose window shows the contents of the transaction. Requests the asset from the wallet's
 * service with the account's token, never from the page. Does so before the window opens or, if the wallet is locked,
 * after it is unlocked.
 */
import { ServiceError, toWireError, type WireError } from '../../../../protocol/errors/service-error.ts';
import type { MintedAsset, MintView } from '../../../../protocol/messages/wallet-messages.ts';
import { rateOrNull } from '../../../chain/rates.ts';
import { unusedAddress } from '../../../coins/addresses/addresses.ts';
import { balance } from '../../../coins/coin-store.ts';
import { resolvePrompt, readAgain } from '../../../prompts/decide.ts';
import type { PromptKind } from '../../../prompts/kinds.ts';
import type { Prompt } from '../../../prompts/prompt.ts';
import { changePrompt } from '../../../prompts/store.ts';
import { fetchAsset, type DescribedAsset } from '../../../service/assets.ts';
import { accountAt, readSettings } from '../../../settings.ts';
import { publicKeys } from '../../../vault/vault.ts';
import { signedOrFailed } from '../../runner/runner.ts';
import { cachedDraft } from '../../plan/kept-draft.ts';
import { earlierMint, earlierMintRecord } from './earlier-mint.ts';
import { newMint, storeMint } from '../../mint-record.ts';
import { part, type Wallet } from '../../../platform.ts';

export interface MintDetails {
  assetId: string;
  /** The ID of the page's message. A new message can prompt again once this prompt has ended. */
  message: string;
  asset: MintedAsset | null;
  /** ID of the token if the wallet minted it earlier, in which case it is only reported. */
  earlier?: string;
}
/** The payment that mints the asset, or the asset's existing token. */
export type MintResult = { paymentId: string } | { tokenId: string };

/** The prompt kind for mints. `approve` stores an ordinary payment. */
export const mintPrompt = part((wallet): PromptKind<MintDetails, MintResult, MintView> => ({
  name: 'mint',
  approvedBy: 'mint',
  declined: 'refused',
  closed: 'approval-closed',

  async view(prompt, locked) {
    const { network, currency } = await readSettings(wallet);
    let { asset, earlier } = prompt.details;
    let feeSatoshis: bigint | null = null;
    let problem: WireError | null = null;
    try {
      if (asset === null && !locked) ({ asset, earlier } = await readNow(wallet, prompt));
      if (asset && earlier !== undefined) feeSatoshis = 0n;
      else if (asset)
        feeSatoshis = (await cachedDraft(wallet, await newMint(wallet, ofPrompt(prompt), asset))).plan.feeSatoshis;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'approval-unknown') throw error;
      problem = toWireError(error);
    }
    return {
      kind: 'mint',
      asset,
      ...(earlier !== undefined && { earlier }),
      feeSatoshis: feeSatoshis?.toString() ?? null,
      balanceSatoshis: (await balance(wallet)).satoshis.toString(),
      rate: await rateOrNull(wallet, currency),
      problem,
      receiveAddress:
        problem?.code === 'insufficient-funds'
          ? (await unusedAddress(wallet, await publicKeys(wallet), network, 'receive')).address
          : null,
    };
  },

  /** @throws ServiceError `too-soon` (the asset hasn't been shown yet), `fee-changed`, `insufficient-funds` and others */
  async approve(prompt, { feeSatoshis }) {
    const { asset, earlier } = prompt.details;
    if (asset === null) throw new ServiceError('too-soon');
    if (feeSatoshis === undefined) throw new ServiceError('fee-changed');
    // If the user has left the service, it must not receive the token.
    if ((await accountAt(wallet)) !== prompt.origin) throw new ServiceError('unknown-account');
    const record =
      earlier === undefined
        ? await newMint(wallet, ofPrompt(prompt), asset, BigInt(feeSatoshis))
        : await earlierMintRecord(wallet, ofPrompt(prompt), asset, earlier);
    // Throws early if the mint can't be paid.
    const draft = earlier === undefined ? await cachedDraft(wallet, record, BigInt(feeSatoshis)) : undefined;
    await resolvePrompt(wallet, prompt, async (tx) => {
      if (!(await storeMint(wallet, tx, record))) throw new ServiceError('approval-unknown');
      return { paymentId: record.id };
    });
    await signedOrFailed(wallet, record.id, draft);
  },
}));

const ofPrompt = ({ origin, details: { assetId } }: Prompt<MintDetails, MintResult>) => ({ assetId, service: origin });

/**
 * Returns the token to mint for an asset, and the ID of the existing token if it was minted earlier.
 * @throws ServiceError see {@link earlierMint}
 */
export async function tokenFor(
  wallet: Wallet,
  { symbol, decimals, units }: DescribedAsset,
): Promise<Pick<MintDetails, 'earlier'> & { asset: MintedAsset }> {
  const asset: MintedAsset = { type: 'mint', symbol, decimals, units };
  const earlier = await earlierMint(wallet, asset);
  return { asset, ...(earlier !== null && { earlier }) };
}

/**
 * Requests the asset once the wallet is unlocked. New details restart the reading time.
 * @throws ServiceError `approval-unknown` (the asset already has a token, which the page receives), or the reason why
 * the asset couldn't be read
 */
async function readNow(
  wallet: Wallet,
  prompt: Prompt<MintDetails, MintResult>,
): Promise<Pick<MintDetails, 'asset' | 'earlier'>> {
  const described = await fetchAsset(wallet, prompt.details.assetId, prompt.origin);
  const { tokenId } = described;
  const token = tokenId === null ? await tokenFor(wallet, described) : null;
  const now = await changePrompt<MintDetails, MintResult>(wallet, prompt, (one) =>
    token !== null
      ? { details: { ...one.details, ...(one.details.asset === null && token) }, ...readAgain(one) }
      : { event: 'answer', answer: { tokenId: tokenId as string } },
  );
  if (!now || now.outcome) throw new ServiceError('approval-unknown');
  return now.details;
}
