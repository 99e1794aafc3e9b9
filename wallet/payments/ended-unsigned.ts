/** Payments that ended before they were signed. They moved nothing, so only their rows in the activity are kept. */
import type { PaymentRecord } from './record.ts';

/** True if it was refused or failed before it was signed. */
export function isEndedUnsigned({ state, signed }: PaymentRecord): boolean {
  return (state === 'refused' || state === 'failed') && signed === null;
}

/** True if it still has scripts, which earlier versions kept. */
export function hasScripts({ quote, action, asset }: PaymentRecord): boolean {
  const inAction = action && (action.inputs.length > 0 || action.outputs.length > 0 || action.beef || action.unsigned);
  return (
    Boolean(inAction) || (asset?.outputs.length ?? 0) > 0 || quote.outputs.some(({ scripts }) => scripts.length > 0)
  );
}
