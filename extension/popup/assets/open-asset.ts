import type { OrdinalView, TokenView } from '../../../protocol/wallet-messages.ts';

/** An asset that is opened. */
export type OpenAsset = { token: TokenView } | { ordinal: OrdinalView };
