/** What the window of a question shows, whatever it asks, and what a yes that signs does. */
import type { AllowanceAskView, OperationsAskView, SignInView } from '../../protocol/wallet-messages.ts';
import { readAllowanceAsk } from './allowances/prompt.ts';
import { answerOperations, readOperationsAsk } from './crypto-operations/prompt.ts';
import { readSignInAsk, signAsk } from './sign-in/prompt.ts';
import { askOf } from './prompts/prompt.ts';

/**
 * Reads it for its window.
 * @throws ServiceError `approval-unknown`
 */
export async function readAskView(approvalId: string): Promise<AllowanceAskView | SignInView | OperationsAskView> {
  const ask = await askOf(approvalId);
  if (ask.kind === 'operations') return readOperationsAsk(ask);
  return ask.kind === 'sign-in' ? readSignInAsk(ask) : readAllowanceAsk(ask);
}

/**
 * Takes the user's yes to what is signed, or decrypted, with the identity key.
 * @throws ServiceError `approval-unknown`, `too-soon`, `wallet-locked`, and those of the kind
 */
export async function signAskOf(approvalId: string): Promise<void> {
  const { kind } = await askOf(approvalId);
  await (kind === 'operations' ? answerOperations(approvalId) : signAsk(approvalId));
}
