import type { OrdinalView, TokenView } from '../../../protocol/messages/wallet-messages.ts';

export type OpenAsset = { token: TokenView } | { ordinal: OrdinalView };
