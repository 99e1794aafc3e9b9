/** Contents of the windows in which a site prompts the user. */
import type { Choice } from '../../payments/choice.ts';
import type { Network } from '../../bitcoin/address.ts';
import type { WireError } from '../../errors/service-error.ts';
import type { Metadata } from '../../payments/metadata.ts';
import type { CryptoMethod, PaymentOutput } from '../../payments/payment.ts';
import type { Permission } from '../permission.ts';
import type { AssetWord, MintedAsset } from './assets.ts';
import type { Account, Rate } from './overview.ts';
import type { AppDataKept } from './settings.ts';
import type { AllowanceView } from './sites.ts';

/** Common to all prompts on behalf of a site. */
interface AskingView {
  /** The requesting origin, as reported by the browser. */
  origin: string;
  locked: boolean;
  network: Network;
  /** The user rejected this site twice within a minute, so blocking is offered. */
  mayBlock: boolean;
}

/** In addition, in windows about money. */
interface MoneyAskingView extends AskingView {
  /** The page's name for its application, or ''. */
  clientIdentifier: string;
  /** The possible units of an allowance: the user's own currency, if its price is known, and BSV. */
  allowanceRates: Rate[];
  balanceSatoshis: string;
}

/** The window for a site's request for an automatic-payment allowance. */
export interface AllowancePromptView extends MoneyAskingView {
  kind: 'allowance';
  /** The page's suggestion, and the least that is useful to it. Unverified. */
  suggested: { amount: string; currency: string } | null;
  minimum: { amount: string; currency: string } | null;
  /** The site's current allowance, which a new one replaces. */
  current: AllowanceView | null;
}

/** The window for a site's sign-in or registration request. */
export interface SignInView extends AskingView {
  kind: 'sign-in';
  /** The service that the wallet is set to, an origin. Another one gets a warning. */
  serviceUrl: string;
  /** The requested account, as the page names it; null for a sign-in. */
  register: { handle: string; name: string } | null;
  /** The wallet's account, if its own service requests this and the wallet knows it. */
  account: Account | null;
  /** The identity's public key, hex, which identifies the user to other sites. */
  publicKey: string;
  /** The exact text that approval signs. */
  text: string;
}

/** The window for a mint request of the wallet's own service. */
export interface MintView extends AskingView {
  kind: 'mint';
  /** The asset to mint, as the wallet writes it; null while the wallet is locked and hasn't queried its service. */
  asset: MintedAsset | null;
  /** The token (id) minted before the wallet was restored, which is used instead of minting another. */
  earlier?: string;
  /** Null if there is a `problem`, or nothing to see yet. */
  feeSatoshis: string | null;
  balanceSatoshis: string;
  /** The price of BSV in the user's currency. */
  rate: Rate | null;
  /** Why it can't be minted now, for example insufficient funds. */
  problem: WireError | null;
  /** Where coins can be sent to, if the wallet has too few of them for this; null otherwise. */
  receiveAddress: string | null;
}

/** The window for a site's permission request. */
export interface PermissionPromptView extends AskingView {
  kind: 'permission';
  permission: Permission;
  /** The identity's public key, hex, if the site requests it. */
  publicKey: string | null;
  /** The permission also connects the site, which wasn't connected. */
  connects: boolean;
}

/** The window for all permissions of a site's manifest that it doesn't have yet. */
export interface PermissionGroupView extends MoneyAskingView {
  kind: 'permission-group';
  /** `said`: its purpose as the site states it. Unverified. A connection can’t be left out. */
  wanted: { permission: Permission; said: string | null }[];
  suggested: { amount: string; currency: string } | null;
  /** The site's current allowance, which a new one replaces. */
  current: AllowanceView | null;
  /** It also requests certificates, which this wallet doesn't support. */
  certificates: boolean;
}

/** The window while a site waits for the wallet to be unlocked. */
export interface UnlockPromptView extends AskingView {
  kind: 'unlock';
}

/** Bytes as `text` if they are readable UTF-8, otherwise null. Both forms are truncated; `bytes` is the full size. */
export interface ShownData {
  text: string | null;
  hex: string;
  bytes: number;
}

/**
 * Who can spend a script's coins, provably: the holder of one address, of one public key, of `needed` among `keys`;
 * anyone with a solution (`puzzle`); anyone; no one (`nobody`); `retired`: a form that the network no longer accepts.
 * `unreadable` is everything else.
 */
export const SCRIPT_KINDS = ['address', 'key', 'keys', 'puzzle', 'anyone', 'nobody', 'retired', 'unreadable'] as const;

export interface ScriptView {
  kind: (typeof SCRIPT_KINDS)[number];
  /** The address of the only key that can spend it; null if there is no such key. */
  address: string | null;
  own: boolean;
  keys: string[];
  needed: number;
  /** Other data in the script, publicly readable. */
  data: ShownData[];
  /** Size of the script; `hex` and `asm` may be shown cut. */
  bytes: number;
  hex: string;
  asm: string;
}

/** The host that answered for a paymail or user ID, and its unverified response. */
export interface RecipientHost {
  paymail: string;
  /** For a user ID: the host of the user's service, which named the paymail. */
  namedBy?: string;
  /** Host of the destination, with a nonstandard port. */
  host: string;
  /** The name in its public profile; null if there is none. */
  name: string | null;
  /** This wallet has paid it before, by its own records. */
  known: boolean;
  /** When its former key was first seen (milliseconds since 1970), if the key has changed since; otherwise null. */
  keyChangedSince: number | null;
  /** It had a public key when last paid and lacks one now, which may hide a change. */
  keyUnavailable?: true;
  /** The earlier host, if another one answered when it was last paid or saved. */
  hostBefore?: string;
}

/**
 * A recipient in the approval window. `own`: an address of this wallet. `scripts`: outputs other than a plain address.
 * `host`: for a paymail or user ID. `contact`: the user's own name for it, and for a user ID the paymail that its
 * service named when it was saved, if it has changed. `firstPayment`: never paid, or not among the latest payments.
 * `resembles`: a different known recipient that looks the same at a glance; `compared` is this recipient's address or
 * paymail.
 */
export type ShownOutput = PaymentOutput & {
  own: boolean;
  scripts: ScriptView[];
  host: RecipientHost | null;
  contact?: { name: string; paymailBefore?: string };
  firstPayment?: 'ever' | 'lately';
  resembles?: { compared: string; to: string; as: 'paid' | 'contact' | 'own' };
};

/** A crypto operation in a window, before the site gets any result. */
export interface ShownOperation {
  name: string;
  method: CryptoMethod;
  /** The data that is signed, verified, encrypted or decrypted; null if there is none, as for a public key. */
  data: ShownData | null;
  /** The site's result, or null for signatures and ciphertext, and while the wallet is locked. */
  value: ShownData | null;
  /**
   * Who can read the ciphertext, or whose signature is verified; null if neither. `self`: the user's own identity key.
   * `keyChangedSince`: since then (milliseconds since 1970) this wallet knew another key for the paymail.
   */
  party: { kind: 'self' | 'key' | 'paymail'; text: string; host: string | null; keyChangedSince: number | null } | null;
  /** The result is written into the transaction, permanently public. */
  onChain: boolean;
}

/** The window for a site's crypto operations without a payment. */
export interface OperationsPromptView extends AskingView {
  kind: 'operations';
  clientIdentifier: string;
  operations: ShownOperation[];
  /** The identity's public key, hex, and the paymail; null without an account. */
  publicKey: string;
  paymail: string | null;
  /** Why it can't be done now. */
  problem: WireError | null;
}

/** The contents of the approval window. Only `origin` and the wallet's own computations are certain. */
export interface ApprovalView extends MoneyAskingView {
  kind: 'payment';
  /** The page requests automatic payments: an allowance granted here is for these. */
  automatic: boolean;
  /** The allowance for such payments, if there is one, and why it isn't used (null: there was no user activation). */
  allowance: (AllowanceView & { short: 'too-much-at-once' | 'used-up' | 'above-ceiling' | 'rate-moved' | null }) | null;
  /** The allowance that the page suggests, and whether it reports an earlier one; null if it suggests none. */
  wanted: (Pick<AllowancePromptView, 'suggested' | 'minimum'> & { hadOne: boolean }) | null;
  outputs: ShownOutput[];
  /**
   * The asset that some outputs pay: its token, its mint's statements, the page's name for it, and the host that
   * confirms that name. `units` (paid) and `held` (spendable) are in smallest units; `word` is the source of that and
   * of the mint's statements.
   */
  asset?: {
    id: string;
    symbol: string | null;
    decimals: number;
    word: AssetWord;
    name: string;
    namedBy?: string;
    units: string;
    held: string;
  };
  /** Data that is written to the chain. */
  data: ShownData | null;
  /** The button's label and data and the visitor's note as given by the site, each null if missing. */
  said: Pick<Metadata, 'label' | 'buttonData' | 'payerNote'>;
  /** The visitor chose the amount on the page, within these bounds. */
  choice?: Choice | undefined;
  /** The signatures, encryptions and decryptions that the site requests with it; usually empty. */
  operations: ShownOperation[];
  amount: string;
  currency: string;
  satoshis: string;
  /** Null if there is a `problem`. */
  feeSatoshis: string | null;
  /** The funds that an application contributes, which offset its outputs (satoshis). */
  brought?: string;
  /** True for a transaction version above 1: third parties can change its id until a block has it. */
  hasChangeableId?: boolean;
  /** Coins that can't be spent otherwise until the application finishes or sends it (satoshis); missing if none. */
  setAside?: string;
  /** The total: `satoshis` and the fee, or only the fee if all outputs are the user's own. */
  totalSatoshis: string | null;
  /** The price of BSV in the user's currency. */
  rate: Rate | null;
  /** The rate that turned `amount` into satoshis; null if it is in BSV. */
  quotedRate: Rate | null;
  /** Where applications' data is also stored; missing if there is none, or this isn't the first. */
  appDataKept?: AppDataKept;
  /** Host of the page's service, if it gets a report without an account. */
  reportedTo?: string;
  /** The network may still accept an earlier payment that this one repeats. Both would then be paid. */
  mayPayTwice?: true;
  /** Why it can't be paid now, for example insufficient funds. */
  problem: WireError | null;
  /** Where coins can be sent to, if the wallet has too few of them for this; null otherwise. */
  receiveAddress: string | null;
}
