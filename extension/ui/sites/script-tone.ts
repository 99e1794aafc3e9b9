/** The tone of a script: danger if its coins are provably lost or free for all; never plain if it can't be parsed. */
import type { ScriptView } from '../../../protocol/messages/wallet-messages.ts';

/** From harmless to harmful. */
export type Tone = 'plain' | 'warning' | 'danger';

/** A script's description by its kind, or only as data if nothing is paid to it. */
type Said = ScriptView['kind'] | 'dataOnly';

const TONES: Record<Said, Tone> = {
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

/** The description of a script. `satoshis` is its amount. */
export const saidOf = ({ kind }: Pick<ScriptView, 'kind'>, satoshis: bigint): Said =>
  kind === 'nobody' && satoshis === 0n ? 'dataOnly' : kind;

export const toneOf = (script: Pick<ScriptView, 'kind'>, satoshis: bigint): Tone => TONES[saidOf(script, satoshis)];

/** Returns the most severe of several tones. */
export function worseOf(tones: readonly Tone[]): Tone {
  return tones.includes('danger') ? 'danger' : tones.includes('warning') ? 'warning' : 'plain';
}
