/** What the window of a question shows, whatever it asks. */
import type { AllowanceAskView, SignInView } from '../../../protocol/wallet-messages.ts';
import { readAllowanceAsk } from '../allowances/ask.ts';
import { readSignInAsk } from '../sign-in/ask.ts';
import { askOf } from './ask.ts';

/**
 * Reads it for its window.
 * @throws ServiceError `approval-unknown`
 */
export async function readAskView(approvalId: string): Promise<AllowanceAskView | SignInView> {
  const ask = await askOf(approvalId);
  return ask.kind === 'sign-in' ? readSignInAsk(ask) : readAllowanceAsk(ask);
}
