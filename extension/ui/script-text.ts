/** Describes who can spend a script's money. */
import type { ScriptView } from '../../protocol/messages/wallet-messages.ts';
import { descriptionKey } from './sites/script-tone.ts';
import { approvalTexts } from './texts/texts.ts';

/** Returns the description. `satoshis` is the output's amount. */
export function scriptText(
  { kind, needed, keys }: Pick<ScriptView, 'kind' | 'needed' | 'keys'>,
  satoshis: bigint,
): string {
  const texts = approvalTexts.scripts;
  const said = descriptionKey({ kind }, satoshis);
  if (said !== 'keys') return texts[said];
  const n = keys.length;
  if (needed === n) return texts.keys.all({ n });
  return needed === 1 ? texts.keys.anyOne({ n }) : texts.keys.any({ needed, n });
}
