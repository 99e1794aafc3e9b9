import type { OrdinalView } from '../../../protocol/wallet-messages.ts';

/** Where an ordinal's content stands: in its own output, else where its satoshi comes from. */
export const contentPlace = ({ contentType, outpoint, origin }: OrdinalView): string =>
  contentType === '' && origin !== null ? origin : outpoint;
