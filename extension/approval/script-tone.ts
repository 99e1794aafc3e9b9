/** How a script is to be shown: what is proven to be lost or free for all is danger; what cannot be read is never plain. */
import type { ScriptView } from '../../protocol/wallet-messages.ts';

/** From harmless to harmful. */
export type Tone = 'plain' | 'warning' | 'danger';

const TONES: Record<ScriptView['kind'], Tone> = {
  address: 'plain', key: 'plain', keys: 'plain', unreadable: 'warning', puzzle: 'danger', anyone: 'danger', nobody: 'danger', retired: 'danger',
};

/** Of one script. */
export const toneOf = ({ kind }: Pick<ScriptView, 'kind'>): Tone => TONES[kind];

/** Of several scripts: that of the worst. */
export const worstTone = (scripts: readonly Pick<ScriptView, 'kind'>[]): Tone => worseOf(scripts.map(toneOf));

/** The worst among tones. */
export function worseOf(tones: readonly Tone[]): Tone {
  return tones.includes('danger') ? 'danger' : tones.includes('warning') ? 'warning' : 'plain';
}
