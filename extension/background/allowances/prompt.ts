/** A site asks for an allowance for automatic payments: what its window shows, and what a yes gives. */
import type { PageParams, PageResults } from '../../../protocol/page-messages.ts';
import type { AllowancePromptView } from '../../../protocol/wallet-messages.ts';
import { answerPrompt, promptUser, decidable, noteShown, type Client } from '../prompts/prompt.ts';
import { rateOrNull } from '../chain/rates.ts';
import { balance } from '../coins/store.ts';
import { readSettings } from '../settings.ts';
import { offersBlock } from '../sites/site.ts';
import { readSite } from '../sites/store.ts';
import { vaultStatus } from '../vault/vault.ts';
import { randomId } from '../prompts/window.ts';
import type { AllowanceKey, Terms } from './allowance.ts';
import { grant } from './spend.ts';
import { allowanceRates, readAllowance, viewOf } from './store.ts';
import { currenciesOf, readWanted } from './wanted.ts';
import type { AllowancePrompt } from '../prompts/kinds.ts';

/**
 * Asks the user, and answers with the token of the allowance.
 * @throws ServiceError `wallet-not-set-up`, `allowance-refused`, `busy`, `too-many-requests`, `site-blocked`,
 *   `invalid-amount`, `invalid-currency`, `page-gone`
 */
export function askForAllowance(
  { clientIdentifier, ...wanted }: PageParams<'allowance/ask'>,
  client: Client,
): Promise<PageResults['allowance/ask']> {
  return promptUser('allowance', client, async () => ({ clientIdentifier, ...(await readWanted(wanted)) }));
}

/** What its window shows. */
export async function readAllowancePrompt(ask: AllowancePrompt): Promise<AllowancePromptView> {
  await noteShown(ask);
  const current = await readAllowance(keyOf(ask));
  const { network, currency } = await readSettings();
  return {
    kind: 'allowance',
    origin: ask.origin,
    clientIdentifier: ask.clientIdentifier,
    suggested: ask.suggested,
    minimum: ask.minimum,
    locked: (await vaultStatus()).locked,
    network,
    current: current && viewOf(current),
    allowanceRates: await allowanceRates(await rateOrNull(currency), currenciesOf(ask)),
    mayBlock: offersBlock(await readSite(ask.origin), Date.now()),
    balanceSatoshis: (await balance()).satoshis.toString(),
  };
}

const keyOf = ({ origin, clientIdentifier }: AllowancePrompt): AllowanceKey => [origin, clientIdentifier, 'automatic'];

/**
 * Takes the user's yes: the allowance and the answer are stored in one transaction.
 * @throws ServiceError `approval-unknown`, `too-soon`, `wallet-locked`
 */
export async function grantAllowancePrompt(approvalId: string, terms: Terms): Promise<void> {
  const ask = await decidable('allowance', approvalId);
  await answerPrompt<'allowance'>(ask, async (tx) => ({ token: await grant(tx, keyOf(ask), terms, randomId()) }));
}
