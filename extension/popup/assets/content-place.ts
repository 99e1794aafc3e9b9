import type { OrdinalView } from '../../../protocol/messages/wallet-messages.ts';

/** The outpoint of an ordinal's content: its own output, or else the origin of its satoshi. */
export const contentPlace = ({ contentType, outpoint, origin }: OrdinalView): string =>
  contentType === '' && origin !== null ? origin : outpoint;
