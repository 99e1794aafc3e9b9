import type { OrdinalView, TokenView } from '../../../protocol/wallet-messages.ts';

export type OpenAsset = { token: TokenView } | { ordinal: OrdinalView };
