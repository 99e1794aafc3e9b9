/** What the windows show in which a site asks the user something. */
import type { Choice } from '../choice.ts';
import type { Network } from '../address.ts';
import type { WireError } from '../errors.ts';
import type { Metadata } from '../metadata.ts';
import type { CryptoMethod, PaymentOutput } from '../payment.ts';
import type { Permission } from '../permission.ts';
import type { AssetWord, MintedAsset } from './assets.ts';
import type { Account, Rate } from './overview.ts';
import type { AppDataKept } from './settings.ts';
import type { AllowanceView } from './sites.ts';

/** Common to all windows that ask the user something on behalf of a site. */
interface AskingView {
  /** The origin that asks, as the browser gave it. */
  origin: string;
  locked: boolean;
  network: Network;
  /** The user refused this site twice within a minute: blocking it is offered. */
  mayBlock: boolean;
}

/** In addition, in windows about money. */
interface MoneyAskingView extends AskingView {
  /** The page's own name of its application; '' where it gave none. */
  clientIdentifier: string;
  /** What an allowance can be in: the user's own currency, where its price is known, and BSV. */
  allowanceRates: Rate[];
  balanceSatoshis: string;
}

/** What the window shows in which a site asks for an allowance for automatic payments. */
export interface AllowancePromptView extends MoneyAskingView {
  kind: 'allowance';
  /** The page's suggestion, and the least that is useful to it. Unverified. */
  suggested: { amount: string; currency: string } | null;
  minimum: { amount: string; currency: string } | null;
  /** The allowance that it has: a new one takes its place. */
  current: AllowanceView | null;
}

/** What the window shows in which a site asks to sign in, or for an account. */
export interface SignInView extends AskingView {
  kind: 'sign-in';
  /** The service that the wallet is set to, an origin. Another one gets a warning. */
  serviceUrl: string;
  /** The requested account, as the page names it; null for a sign-in. */
  register: { handle: string; name: string } | null;
  /** The wallet's account, where its own service asks and the wallet knows it. */
  account: Account | null;
  /** The identity's public key, hex: all that another site knows the user by. */
  publicKey: string;
  /** The exact text that approval signs. */
  text: string;
}

/** What the window shows in which the wallet's own service asks to mint an asset. */
export interface MintView extends AskingView {
  kind: 'mint';
  /** What would be minted, as the wallet writes it; null while the wallet is locked and has not asked its service. */
  asset: MintedAsset | null;
  /** The token (id) that the wallet has minted of it before it was restored: that one is used, and nothing is minted. */
  earlier?: string;
  /** Null if there is a `problem`, or nothing to see yet. */
  feeSatoshis: string | null;
  balanceSatoshis: string;
  /** The user's own currency, and what it costs. */
  rate: Rate | null;
  /** Why it cannot be minted at present, for example insufficient funds. */
  problem: WireError | null;
  /** Where coins can be sent to, if the wallet has too few of them for this; null otherwise. */
  receiveAddress: string | null;
}

/** What the window shows in which a site asks for a permission. */
export interface PermissionPromptView extends AskingView {
  kind: 'permission';
  permission: Permission;
  /** The identity's public key, hex, where the site asks for it. */
  publicKey: string | null;
  /** The site had nothing so far: the permission connects it. */
  connects: boolean;
}

/** What the window shows in which a site asks for all that its manifest names and it does not have yet. */
export interface PermissionGroupView extends MoneyAskingView {
  kind: 'permission-group';
  /** `said`: what it is for, as the site says. Unverified. A connection can’t be left out. */
  wanted: { permission: Permission; said: string | null }[];
  /** The allowance that it suggests for a month; null where it suggests none. */
  suggested: { amount: string; currency: string } | null;
  /** The allowance that it has: a new one takes its place. */
  current: AllowanceView | null;
  /** It also names certificates, which this wallet does not have. */
  certificates: boolean;
}

/** What the window shows in which a site waits for the wallet to be unlocked. */
export interface UnlockPromptView extends AskingView {
  kind: 'unlock';
}

/**
 * Bytes for people: `text` where they are UTF-8 that can be read, else null; both forms shown up to a length, `bytes`
 * is the size.
 */
export interface ShownData {
  text: string | null;
  hex: string;
  bytes: number;
}

/**
 * Who can take what a script locks, as far as the wallet can prove it: the holder of one address (and that script is
 * exactly the address's where it carries no data), of one public key, of `needed` among `keys`; whoever solves it, for
 * it asks for no signature (`puzzle`); anyone; nobody ever; `retired`: a form that the network takes no more.
 * `unreadable` is all the rest.
 */
export const SCRIPT_KINDS = ['address', 'key', 'keys', 'puzzle', 'anyone', 'nobody', 'retired', 'unreadable'] as const;

/** A script as the wallet reads it. */
export interface ScriptView {
  kind: (typeof SCRIPT_KINDS)[number];
  /** The address of the one key that can take it; null where it is no single key. */
  address: string | null;
  /** That key is one of this wallet's own. */
  own: boolean;
  /** Public keys, hex, where the script names them. */
  keys: string[];
  needed: number;
  /** Other data in the script, readable by everybody. */
  data: ShownData[];
  /** Size of the script; `hex` and `asm` may be shown cut. */
  bytes: number;
  hex: string;
  asm: string;
}

/**
 * The host that answered for a paymail or a user ID, and its answer. Unverified, except where marked as compared by the
 * wallet.
 */
export interface RecipientHost {
  /** The paymail that is paid: of a user ID, the one that the service names. */
  paymail: string;
  /** Of a user ID: host of the service whose user it is, and which named the paymail. */
  namedBy?: string;
  /** Where the destination came from: host, and port where it is not the usual one. */
  host: string;
  /** The name in its public profile; null if there is none. */
  name: string | null;
  /** This wallet has paid it before (its own memory). */
  known: boolean;
  /**
   * Its public key is another than when it was first seen, at this time (milliseconds since 1970; its own memory); null
   * where it is the same.
   */
  keyChangedSince: number | null;
  /** It had a public key when it was last paid, and its host gives none now, which may hide a different key. */
  keyUnavailable?: true;
  /** The host that answered when it was last paid or saved as a contact, where that was another. */
  hostBefore?: string;
}

/**
 * A recipient as the approval window shows it. `own`: an address of this wallet. `scripts`: what is not simply an
 * address.
 * `host`: of a paymail or user ID. `contact`: the user's own name for it, and of a user ID the paymail that its service named when
 * it was saved, where that is another now.
 */
export type ShownOutput = PaymentOutput & {
  own: boolean;
  scripts: ScriptView[];
  host: RecipientHost | null;
  contact?: { name: string; paymailBefore?: string };
};

/** A crypto operation as a window shows it, before anything of it reaches the site. */
export interface ShownOperation {
  name: string;
  method: CryptoMethod;
  /** What is signed, checked, encrypted or decrypted; null where there is nothing, as for a public key. */
  data: ShownData | null;
  /**
   * What comes out and the site gets: the plaintext, the key, the address, the paymail. Null for signatures and
   * ciphertext, and while the wallet is locked.
   */
  value: ShownData | null;
  /**
   * Who can read what is encrypted, or whose signature is checked; null where that says nothing. `self`: the user's own
   * identity key.
   * `keyChangedSince`: the paymail has another key than the one that this wallet has known since then (milliseconds since 1970).
   */
  party: { kind: 'self' | 'key' | 'paymail'; text: string; host: string | null; keyChangedSince: number | null } | null;
  /** What comes out is written into the transaction, for everybody to read for ever. */
  onChain: boolean;
}

/** What the window shows in which a site asks for crypto operations without a payment. */
export interface OperationsPromptView extends AskingView {
  kind: 'operations';
  clientIdentifier: string;
  operations: ShownOperation[];
  /** The identity's public key, hex, and the paymail; null without an account. */
  publicKey: string;
  paymail: string | null;
  /** Why it cannot be done at present. */
  problem: WireError | null;
}

/** What the approval window shows. Only `origin` and what the wallet worked out itself is sure. */
export interface ApprovalView extends MoneyAskingView {
  kind: 'payment';
  /** The page asks to pay by itself: an allowance given here is for that. */
  automatic: boolean;
  /**
   * The allowance for such payments, if there is one, and why this payment is not made from it (null: there was no user
   * activation).
   */
  allowance: (AllowanceView & { short: 'too-much-at-once' | 'used-up' | 'above-ceiling' | 'rate-moved' | null }) | null;
  /** What the page would like that allowance to be, and whether it says that it had one; null where it said nothing. */
  wanted: (Pick<AllowancePromptView, 'suggested' | 'minimum'> & { hadOne: boolean }) | null;
  outputs: ShownOutput[];
  /**
   * The asset that some outputs pay: its token, what its mint says, the name that the page gave, and the host that says that
   * this token is meant, where that is another name. `units` is what is paid and `held` what the wallet can spend of it, in smallest units;
   * `word` is whose word that and the mint's are.
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
  /** What the site wants signed, encrypted or decrypted along with it; empty as a rule. */
  operations: ShownOperation[];
  amount: string;
  currency: string;
  satoshis: string;
  /** Null if there is a `problem`. */
  feeSatoshis: string | null;
  /** What an application brings in of its own, which counts against what its outputs take (satoshis). */
  brought?: string;
  /** True for an application's transaction of a version above 1: third parties can change its id until a block has it. */
  hasChangeableId?: boolean;
  /** Coins that can't be spent otherwise until the application finishes or sends it (satoshis); missing where none. */
  setAside?: string;
  /** What leaves the wallet: `satoshis` and the fee, or the fee alone where all outputs are the user's own. */
  totalSatoshis: string | null;
  /** The user's own currency, and what it costs. */
  rate: Rate | null;
  /** The rate that turned `amount` into satoshis; null where it is in BSV. */
  quotedRate: Rate | null;
  /**
   * Where what an application has kept with this is kept besides this browser; missing where nothing is kept, or where
   * it is not the first.
   */
  appDataKept?: AppDataKept;
  /** Host of the page's service, where that gets a report without an account. */
  reportedTo?: string;
  /** The network may still take an earlier payment that this one repeats: then both are paid. */
  mayPayTwice?: true;
  /** Why it cannot be paid at present, for example insufficient funds. */
  problem: WireError | null;
  /** Where coins can be sent to, if the wallet has too few of them for this; null otherwise. */
  receiveAddress: string | null;
}
