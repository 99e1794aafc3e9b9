/** Formats the recipients on one line, for the page after a decision. */
import type { ShownOutput } from '../../../protocol/messages/wallet-messages.ts';
import { shorten, visible } from '../amounts/format.ts';
import { approvalTexts as t, texts } from './texts.ts';

/** Returns `To ada@example.com` or `To 3 recipients`, or '' if there is no recipient. */
export function toWords(outputs: readonly Pick<ShownOutput, 'type' | 'to'>[]): string {
  const [first] = outputs;
  if (first === undefined) return '';
  if (outputs.length > 1) return t.recipients({ n: outputs.length });
  const { type, to } = first;
  if (type === 'SCRIPT') return t.toName({ name: texts.kinds.SCRIPT });
  if (type === 'PAYMAIL') return t.toName({ name: visible(to) });
  return t.toName({ name: type === 'USER' ? `${texts.kinds.USER} ${visible(to)}` : shorten(visible(to)) });
}
