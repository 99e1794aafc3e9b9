/** What the window of a question shows, whatever it asks, and what a yes that signs does. */
import type { AllowancePromptView, OperationsPromptView, SignInView } from '../../protocol/wallet-messages.ts';
import { readAllowancePrompt } from './allowances/prompt.ts';
import { answerOperations, readOperationsPrompt } from './crypto-operations/prompt.ts';
import { readSignInPrompt, signSignInPrompt } from './sign-in/prompt.ts';
import { promptOf } from './prompts/prompt.ts';

/**
 * Reads it for its window.
 * @throws ServiceError `approval-unknown`
 */
export async function readPromptView(
  approvalId: string,
): Promise<AllowancePromptView | SignInView | OperationsPromptView> {
  const ask = await promptOf(approvalId);
  if (ask.kind === 'operations') return readOperationsPrompt(ask);
  return ask.kind === 'sign-in' ? readSignInPrompt(ask) : readAllowancePrompt(ask);
}

/**
 * Takes the user's yes to what is signed, or decrypted, with the identity key.
 * @throws ServiceError `approval-unknown`, `too-soon`, `wallet-locked`, and those of the kind
 */
export async function signPrompt(approvalId: string): Promise<void> {
  const { kind } = await promptOf(approvalId);
  await (kind === 'operations' ? answerOperations(approvalId) : signSignInPrompt(approvalId));
}
