/** Types for the results that the background returns to the wallet's windows. */
import type { Connection } from '../../http/api-v2.ts';
import type { ErrorCode, WireError } from '../../errors/service-error.ts';
import type {
  ActivityDetails,
  ActivityItem,
  ActivityPage,
  ExportedActivity,
  SendQuote,
  SendResult,
} from './activity.ts';
import type {
  AllowancePromptView,
  ApprovalView,
  MintView,
  OperationsPromptView,
  PermissionGroupView,
  PermissionPromptView,
  SignInView,
  UnlockPromptView,
} from './asking.ts';
import type { AssetQuote } from './asset-quote.ts';
import type { AssetContent, AssetsView } from './assets.ts';
import type { WalletMethod } from './methods.ts';
import type { Account, ContactView, NetworkChoice, OtherWalletsView, Overview, PasskeyView, Rate } from './overview.ts';
import type { AppDataView, Settings } from './settings.ts';
import type { SiteView, SwipeLimitsView } from './sites.ts';

/** A prompt that is waiting for the user's decision. `id` is also in the URL of the prompt's window. */
export interface OpenPrompt {
  id: string;
  kind: WalletResults['approval/read']['kind'];
  origin: string;
}

export interface WalletResults {
  /** `lost`: the wallet's data is missing or unreadable. `mayVanish`: the browser might delete data. */
  'vault/status': { exists: boolean; locked: boolean; lockAt: number | null; lost?: true; mayVanish?: true };
  'vault/generate-words': { words: string };
  'vault/check-words': { valid: boolean };
  'vault/replace-unreadable': null;
  'other-wallets/search': OtherWalletsView;
  'other-wallets/move': { txid: string };
  'other-wallets/move-assets': { txid: string };
  'vault/create': null;
  'vault/unlock': null;
  'vault/unlock-with-passkey': null;
  'passkeys/list': { passkeys: PasskeyView[] };
  'passkeys/add': null;
  'passkeys/remove': null;
  'vault/check-password': null;
  'vault/lock': null;
  'vault/show-words': { words: string };
  'vault/change-password': null;
  'vault/send-unsent': { left: number };
  'vault/remove': null;
  'prompts/list': { prompts: OpenPrompt[] };
  'prompts/show': null;
  'onboarding/client': { origin: string | null };
  'onboarding/return': null;
  'account/check-handle': { available: boolean; problem: ErrorCode | null };
  'account/register': Account;
  'account/sign-in': Account | null;
  'connections/list': { connections: Connection[] };
  'connections/remove': null;
  'wallet/overview': Overview;
  'wallet/refresh': null;
  /**
   * Numbers of addresses searched per chain, and of payments found. `isWhole` is false until the search has finished.
   */
  'wallet/search-further': { addresses: number; payments: number; isWhole: boolean };
  'wallet/listen': null;
  'wallet/faucet': { txid: string };
  'activity/list': ActivityPage<ActivityItem>;
  'activity/read': ActivityDetails;
  'activity/cancel': null;
  'activity/end': null;
  'activity/note': null;
  'activity/export': ActivityPage<ExportedActivity>;
  'avatars/kept': { picture: string | null };
  'avatars/fetch': { picture: string | null };
  'approval/read':
    | ApprovalView
    | AllowancePromptView
    | SignInView
    | MintView
    | OperationsPromptView
    | PermissionPromptView
    | PermissionGroupView
    | UnlockPromptView;
  'send/recents': { recipients: string[] };
  'contacts/list': { contacts: ContactView[] };
  'contacts/save': null;
  'contacts/remove': null;
  'send/quote': SendQuote;
  'send/pay': SendResult;
  'assets/list': AssetsView;
  'assets/refresh': null;
  'assets/content': AssetContent;
  'assets/quote': AssetQuote;
  'assets/send': SendResult;
  'assets/index': null;
  'approval/decide': null;
  'sites/list': { sites: SiteView[] };
  'sites/change': null;
  'sites/rate': { rate: Rate | null };
  'sites/revoke': null;
  'sites/forbid': null;
  'sites/block': null;
  'sites/end': null;
  'sites/unblock': null;
  'swipes/read': SwipeLimitsView;
  'swipes/change': null;
  'swipes/switch-off': null;
  'settings/read': Settings;
  'settings/change': Settings;
  'service/read': { builtIn: string };
  'settings/currencies': { currencies: string[] };
  'network/read': NetworkChoice;
  'network/choose': null;
  'app-data/read': AppDataView;
  'app-data/export': { file: string; entries: number };
  'app-data/restore': { entries: number };
  'app-data/save-again': null;
}

/** The background's response: exactly one of `result` and `error`. */
export type WalletReply<M extends WalletMethod = WalletMethod> = { result: WalletResults[M] } | { error: WireError };
