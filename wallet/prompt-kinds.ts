/** Lists all kinds of prompts. */
import { allowancePrompt } from './allowances/allowance-prompt.ts';
import { groupPrompt } from './brc100/permissions/group-prompt.ts';
import { permissionPrompt } from './brc100/permissions/permission-prompt.ts';
import { unlockPrompt } from './brc100/permissions/unlock.ts';
import { operationsPrompt } from './crypto-operations/operations-prompt.ts';
import { paymentPrompt } from './payments/sources/page/payment-prompt.ts';
import { mintPrompt } from './payments/sources/mint/mint-prompt.ts';
import type { PromptKinds } from './prompts/kinds.ts';
import { signInPrompt } from './sign-in/sign-in-prompt.ts';
import { part } from './platform.ts';

export const promptKinds = part((wallet): PromptKinds => ({
  allowance: allowancePrompt(wallet),
  mint: mintPrompt(wallet),
  operations: operationsPrompt(wallet),
  payment: paymentPrompt(wallet),
  permission: permissionPrompt(wallet),
  'permission-group': groupPrompt(wallet),
  'sign-in': signInPrompt(wallet),
  unlock: unlockPrompt(wallet),
}));
