/** Allowance prompts for automatic payments: the contents of the window, and the effect of an approval. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { PageParams, PageResults } from '../../protocol/messages/page-messages.ts';
import type { AllowancePromptView } from '../../protocol/messages/wallet-messages.ts';
import { rateOrNull } from '../chain/rates.ts';
import { balance } from '../coins/coin-store.ts';
import { promptUser, type Client } from '../prompts/request.ts';
import { resolvePrompt } from '../prompts/decide.ts';
import type { PromptKind } from '../prompts/kinds.ts';
import { randomId } from '../prompts/store.ts';
import { readSettings } from '../settings.ts';
import type { AllowanceKey, SuggestedAllowance } from './allowance.ts';
import { grant } from './spend.ts';
import { allowanceRates, checkedTerms, viewOf } from './allowance-store.ts';
import { readAllowance } from './records.ts';
import { currenciesOf, readSuggestion } from './wanted.ts';
import { part, type Wallet } from '../platform.ts';

type Details = SuggestedAllowance & { clientIdentifier: string };
type AllowanceResult = PageResults['allowance/ask'];

const keyOf = (origin: string, { clientIdentifier }: Details): AllowanceKey => [origin, clientIdentifier, 'automatic'];

export const allowancePrompt = part((wallet): PromptKind<Details, AllowanceResult, AllowancePromptView> => ({
  name: 'allowance',
  approvedBy: 'grant',
  declined: 'allowance-refused',

  async view({ origin, details }) {
    const current = await readAllowance(wallet, keyOf(origin, details));
    return {
      kind: 'allowance',
      clientIdentifier: details.clientIdentifier,
      suggested: details.suggested,
      minimum: details.minimum,
      current: current && viewOf(wallet, current),
      allowanceRates: await allowanceRates(
        wallet,
        await rateOrNull(wallet, (await readSettings(wallet)).currency),
        currenciesOf(details),
      ),
      balanceSatoshis: (await balance(wallet)).satoshis.toString(),
    };
  },

  /** Stores the allowance and the response in one transaction. */
  async approve(prompt, yes) {
    if (!yes.grant) throw new ServiceError('invalid-request');
    const terms = await checkedTerms(wallet, yes.grant);
    await resolvePrompt(wallet, prompt, async (tx) => ({
      token: await grant(wallet, tx, keyOf(prompt.origin, prompt.details), terms, randomId(wallet)),
    }));
  },
}));

/**
 * Prompts the user, and returns the token of the granted allowance.
 * @throws ServiceError `wallet-not-set-up`, `allowance-refused`, `busy`, `too-many-requests`, `site-blocked`,
 * `invalid-amount`, `invalid-currency`, `page-gone`
 */
export function promptForAllowance(
  wallet: Wallet,
  { clientIdentifier, ...wanted }: PageParams<'allowance/ask'>,
  client: Client,
): Promise<AllowanceResult> {
  return promptUser(wallet, allowancePrompt(wallet), client, async () => ({
    clientIdentifier,
    ...(await readSuggestion(wallet, wanted)),
  }));
}
