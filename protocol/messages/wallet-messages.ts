/**
 * Requests from the wallet's own windows to the background, sent by `runtime.sendMessage`. Pages can't call these
 * methods, because the background compares the sender's exact document path with `callers`.
 */
export * from './wallet-messages/activity.ts';
export * from './wallet-messages/asking.ts';
export * from './wallet-messages/asset-quote.ts';
export * from './wallet-messages/assets.ts';
export * from './wallet-messages/methods.ts';
export * from './wallet-messages/overview.ts';
export * from './wallet-messages/results.ts';
export * from './wallet-messages/settings.ts';
export * from './wallet-messages/sites.ts';
export type { ActivityFilter, AllowanceTerms, SendOutput, SendRecipient } from './wallet-messages/parameters.ts';
