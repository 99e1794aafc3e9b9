/**
 * Severity of a script: danger if its coins are lost or anyone can spend them. A script that can't be parsed is never
 * `plain`.
 */
import type { ScriptView } from '../../../protocol/messages/wallet-messages.ts';

export type Tone = 'plain' | 'warning' | 'danger';

/** The key of a script's description: its kind, or `dataOnly` if nothing is paid to it. */
type DescriptionKey = ScriptView['kind'] | 'dataOnly';

const TONES: Record<DescriptionKey, Tone> = {
  address: 'plain',
  key: 'plain',
  keys: 'plain',
  dataOnly: 'plain',
  unreadable: 'warning',
  puzzle: 'danger',
  anyone: 'danger',
  nobody: 'danger',
  retired: 'danger',
};

/** Returns the key of a script's description. `satoshis` is the output's amount. */
export const descriptionKey = ({ kind }: Pick<ScriptView, 'kind'>, satoshis: bigint): DescriptionKey =>
  kind === 'nobody' && satoshis === 0n ? 'dataOnly' : kind;

export const toneOf = (script: Pick<ScriptView, 'kind'>, satoshis: bigint): Tone =>
  TONES[descriptionKey(script, satoshis)];

/** Returns the most severe of several tones. */
export function worseOf(tones: readonly Tone[]): Tone {
  return tones.includes('danger') ? 'danger' : tones.includes('warning') ? 'warning' : 'plain';
}
