/** Types for the contents of windows that prompt the user on behalf of a site. */
import type { Choice } from '../../payments/choice.ts';
import type { Network } from '../../bitcoin/address.ts';
import type { WireError } from '../../errors/service-error.ts';
import type { Metadata } from '../../payments/metadata.ts';
import type { CryptoMethod, PaymentOutput } from '../../payments/payment.ts';
import type { Permission } from '../permission.ts';
import type { AssetWord, MintedAsset } from './assets.ts';
import type { Account, Rate } from './overview.ts';
import type { AppDataLocation } from './settings.ts';
import type { AllowanceView } from './sites.ts';

/** Fields in every prompt. */
interface AskingView {
  /** The requesting origin, as reported by the browser. */
  origin: string;
  locked: boolean;
  network: Network;
  /** True if the user rejected this site twice within a minute, in which case the window offers to block it. */
  mayBlock: boolean;
}

/** Additional fields for prompts that involve money. */
interface MoneyAskingView extends AskingView {
  /** The page's name for its application, or ''. */
  clientIdentifier: string;
  /** The possible currencies for an allowance: the user's own if its price is known, and BSV. */
  allowanceRates: Rate[];
  balanceSatoshis: string;
}

/** The window for a site's request for an automatic-payment allowance. */
export interface AllowancePromptView extends MoneyAskingView {
  kind: 'allowance';
  /** The allowance that the page suggests (unverified). */
  suggested: { amount: string; currency: string } | null;
  /** The minimum allowance that is useful to the page (unverified). */
  minimum: { amount: string; currency: string } | null;
  /** The site's current allowance, which a new one replaces. */
  current: AllowanceView | null;
}

/** The window for a site's sign-in or registration request. */
export interface SignInView extends AskingView {
  kind: 'sign-in';
  /** Origin of the wallet's configured service. For other services, the window shows a warning. */
  serviceUrl: string;
  /** The account to create, as named by the page. Null for a sign-in. */
  register: { handle: string; name: string } | null;
  /** The wallet's account, if known. Null if the request isn't from the account's service. */
  account: Account | null;
  /** The identity's public key (hex), which identifies the user to other sites. */
  publicKey: string;
  /** The exact text that the user signs by approving. */
  text: string;
}

/** The window for a mint request from the wallet's own service. */
export interface MintView extends AskingView {
  kind: 'mint';
  /** The asset as the wallet will mint it. Null if the wallet is locked and hasn't queried its service yet. */
  asset: MintedAsset | null;
  /**
   * ID of the token that was minted before the wallet was restored. The wallet uses this token instead of minting
   * another one.
   */
  earlier?: string;
  /** Null if there is a `problem` or no `asset` yet. */
  feeSatoshis: string | null;
  balanceSatoshis: string;
  rate: Rate | null;
  /** Why the asset can't be minted now. */
  problem: WireError | null;
  /** An address for receiving coins if the wallet has too few, otherwise null. */
  receiveAddress: string | null;
}

/** The window for a site's permission request. */
export interface PermissionPromptView extends AskingView {
  kind: 'permission';
  permission: Permission;
  /** The identity's public key (hex), if the site requests it. */
  publicKey: string | null;
  /** True if the permission also connects the site for the first time. */
  connects: boolean;
}

/** The window that requests all permissions in a site's manifest that the site doesn't have yet. */
export interface PermissionGroupView extends MoneyAskingView {
  kind: 'permission-group';
  /** `said` is the purpose stated by the site (unverified). The user can't deselect a connection. */
  wanted: { permission: Permission; said: string | null }[];
  suggested: { amount: string; currency: string } | null;
  /** The site's current allowance, which a new one replaces. */
  current: AllowanceView | null;
  /** True if the site also requests certificates, which this wallet doesn't support. */
  certificates: boolean;
}

/** The window that is shown while a site waits for the wallet to be unlocked. */
export interface UnlockPromptView extends AskingView {
  kind: 'unlock';
}

/** Bytes for display: the full size, and truncated forms. `text` is null unless the bytes are readable UTF-8. */
export interface ShownData {
  text: string | null;
  hex: string;
  bytes: number;
}

/**
 * Who can provably spend a script's coins. `address`, `key`: the holder of one key. `keys`: the holders of `needed`
 * keys. `puzzle`: anyone who finds a solution. `anyone`, `nobody`: everyone or no one. `retired`: the network no longer
 * accepts this form of script. `unreadable`: unknown.
 */
export const SCRIPT_KINDS = ['address', 'key', 'keys', 'puzzle', 'anyone', 'nobody', 'retired', 'unreadable'] as const;

export interface ScriptView {
  kind: (typeof SCRIPT_KINDS)[number];
  /** The address of the only key that can spend the coins, or null. */
  address: string | null;
  own: boolean;
  keys: string[];
  needed: number;
  /** Other data in the script, which anyone can read. */
  data: ShownData[];
  /** Size of the script. `hex` and `asm` may be truncated. */
  bytes: number;
  hex: string;
  asm: string;
}

/** The host that responded for a paymail or user ID, and its unverified response. */
export interface RecipientHost {
  paymail: string;
  /** For a user ID: the host of the user's service, which reported the paymail. */
  namedBy?: string;
  /** Host that provides the payment destination, with its port if the port isn't the default. */
  host: string;
  /** The recipient's name in the public profile, or null. */
  name: string | null;
  /** True if this wallet's records show an earlier payment to this recipient. */
  known: boolean;
  /** When the recipient's former key was first seen (milliseconds since 1970). Null if the key hasn't changed. */
  keyChangedSince: number | null;
  /** Set if the recipient had a public key when last paid and now has none. A missing key might hide a changed key. */
  keyUnavailable?: true;
  /** The earlier host, if a different host responded when the recipient was last paid or saved. */
  hostBefore?: string;
}

/**
 * A recipient in the approval window. `own`: true for this wallet's own address. `scripts`: the recipient's locking
 * scripts, except that of a plain address. `host`: set for a paymail or user ID. `contact`: the user's own name for the
 * recipient. If a user ID's paymail has changed, `paymailBefore` is the paymail when the contact was saved.
 * `firstPayment`: this wallet has never paid the recipient (`ever`), or not recently (`lately`). `resembles`: a
 * different known recipient that looks the same at a glance. `compared` is this recipient's address or paymail.
 */
export type ShownOutput = PaymentOutput & {
  own: boolean;
  scripts: ScriptView[];
  host: RecipientHost | null;
  contact?: { name: string; paymailBefore?: string };
  firstPayment?: 'ever' | 'lately';
  resembles?: { compared: string; to: string; as: 'paid' | 'contact' | 'own' };
};

/** A crypto operation as a window displays it before the site receives any result. */
export interface ShownOperation {
  name: string;
  method: CryptoMethod;
  /** The data that is signed, verified, encrypted or decrypted. Null for operations without data. */
  data: ShownData | null;
  /** The result that the site will receive. Null for signatures and ciphertext, and while the wallet is locked. */
  value: ShownData | null;
  /**
   * The party that can read the ciphertext, or whose signature is verified. Null for other operations. `self` is the
   * user's own identity key. `keyChangedSince`: when this wallet first saw the paymail's former key (milliseconds since
   * 1970).
   */
  party: { kind: 'self' | 'key' | 'paymail'; text: string; host: string | null; keyChangedSince: number | null } | null;
  /** True if the result is written into the transaction, where it is permanently public. */
  onChain: boolean;
}

/** The window for a site's crypto operations without a payment. */
export interface OperationsPromptView extends AskingView {
  kind: 'operations';
  clientIdentifier: string;
  operations: ShownOperation[];
  /** The identity's public key (hex). */
  publicKey: string;
  /** The user's paymail, null without an account. */
  paymail: string | null;
  /** Why the operations can't be run now. */
  problem: WireError | null;
}

/** The contents of the approval window. Only `origin` and values that the wallet computes are verified. */
export interface ApprovalView extends MoneyAskingView {
  kind: 'payment';
  /** True if the page requests automatic payments, for which an allowance granted here can be used. */
  automatic: boolean;
  /**
   * The allowance for payments of this kind, or null. `short` is why the allowance is insufficient, or null if the
   * window is open for a different reason.
   */
  allowance: (AllowanceView & { short: 'too-much-at-once' | 'used-up' | 'above-ceiling' | 'rate-moved' | null }) | null;
  /**
   * The page's suggested allowance, and whether the page claims to have had an allowance. Null if the page doesn't
   * suggest one.
   */
  wanted: (Pick<AllowancePromptView, 'suggested' | 'minimum'> & { hadOne: boolean }) | null;
  outputs: ShownOutput[];
  /**
   * The asset that some of the outputs transfer. `symbol` and `decimals` are from the token's mint. `name` is the
   * page's name for the asset, and `namedBy` the host that resolved it. `units` (paid) and `held` (spendable) are in
   * smallest units. `word` is the source of `held` and of the mint's data.
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
  /** The data that is written to the chain. */
  data: ShownData | null;
  /** The button's label and data, and the visitor's note, as reported by the site. Null if missing. */
  said: Pick<Metadata, 'label' | 'buttonData' | 'payerNote'>;
  /** The limits within which the visitor chose the amount on the page. */
  choice?: Choice | undefined;
  /** The crypto operations that the site requests along with the payment, usually none. */
  operations: ShownOperation[];
  amount: string;
  currency: string;
  satoshis: string;
  /** Null if there is a `problem`. */
  feeSatoshis: string | null;
  /** The funds that an application contributes toward its outputs (satoshis). */
  brought?: string;
  /** True for a transaction version above 1. Third parties can then change the transaction's ID until it is mined. */
  hasChangeableId?: boolean;
  /** Coins that remain reserved until the application finishes or sends the action (satoshis). Missing if none. */
  setAside?: string;
  /** The total: `satoshis` plus the fee, or only the fee if all outputs are the user's own. */
  totalSatoshis: string | null;
  rate: Rate | null;
  /** The rate that converted `amount` to satoshis. Null if the amount is in BSV. */
  quotedRate: Rate | null;
  /**
   * Where application data is stored in addition to this browser. Set only if this payment stores the wallet's first
   * application data.
   */
  appDataKept?: AppDataLocation;
  /** Host of the page's service. Set if that service receives a report although the user has no account there. */
  reportedTo?: string;
  /** Set if the network might still accept an earlier identical payment. The user would then pay twice. */
  mayPayTwice?: true;
  /** Why the payment can't be made now. */
  problem: WireError | null;
  /**
   * Set if the balance is sufficient, but part of it is change from payments that the network hasn't accepted yet.
   */
  awaitsChange?: true;
  /** An address for receiving coins if the wallet has too few, otherwise null. */
  receiveAddress: string | null;
}
