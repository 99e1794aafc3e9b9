/** Test double for the background behind `runtime.sendMessage`. */
import type { ErrorCode } from '../../../protocol/errors/service-error.ts';
import { ERRORS } from '../../../protocol/errors/service-error.ts';
import type {
  AllowancePromptView,
  AllowanceView,
  ApprovalView,
  MintView,
  OperationsPromptView,
  Overview,
  PermissionGroupView,
  PermissionPromptView,
  Settings,
  ShownOperation,
  SignInView,
  WalletMethod,
  WalletParams,
  WalletResults,
} from '../../../protocol/messages/wallet-messages.ts';

type Handlers = { [M in WalletMethod]?: (params: WalletParams<M>) => WalletResults[M] | Promise<WalletResults[M]> };

/** A handler throws this to respond with an error. */
export class Refusal {
  readonly code: ErrorCode;
  constructor(code: ErrorCode) {
    this.code = code;
  }
}

/** Creates a background with canned responses that records its requests. */
export function fakeWallet(handlers: Handlers) {
  const calls: { method: WalletMethod; params: unknown }[] = [];
  return {
    handlers,
    calls,
    asked: (method: WalletMethod) => calls.filter((c) => c.method === method).map((c) => c.params),
    async sendMessage({ method, params }: { method: WalletMethod; params: never }): Promise<unknown> {
      calls.push({ method, params });
      const handler = handlers[method];
      try {
        if (!handler) throw new Refusal('unsupported-method');
        return { result: await handler(params) };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { error: { code: error.code, message: ERRORS[error.code].message } };
      }
    },
  };
}

export const settings: Settings = {
  network: 'devnet',
  serviceUrl: 'http://localhost:3000',
  noAccount: false,
  arcUrl: null,
  wocUrl: null,
  ordinalsUrl: null,
  currency: 'USD',
  lockAfterMinutes: 15,
  theme: 'system',
  language: 'system',
  notify: true,
  singleKeys: true,
};

export const overview: Overview = {
  network: 'devnet',
  account: { id: '1', handle: 'ada', paymail: 'ada@localhost', name: 'Ada' },
  satoshis: '24680000',
  unconfirmedSatoshis: '0',
  keptApart: 0,
  receiveAddress: 'mzJ2m4aZ1Lz4a1VbWZkcQ8V4zsfkS8UuWQ',
  rate: { currency: 'USD', price: '50', time: 1_790_000_000_000, sources: 2, dollar: '50' },
  rateProblem: null,
  scan: null,
  unread: 0,
  crowded: 0,
  problem: null,
  update: null,
};

export const approval: ApprovalView = {
  kind: 'payment',
  automatic: false,
  wanted: null,
  clientIdentifier: '',
  allowance: null,
  allowanceRates: [
    { currency: 'USD', price: '50', time: 1_790_000_000_000, sources: 2, dollar: '50' },
    { currency: 'BSV', price: '1', time: 1_790_000_000_000, sources: 2 },
  ],
  mayBlock: false,
  origin: 'https://shop.example',
  locked: false,
  network: 'devnet',
  outputs: [
    {
      type: 'ADDRESS',
      to: 'mzJ2m4aZ1Lz4a1VbWZkcQ8V4zsfkS8UuWQ',
      paymail: null,
      userId: null,
      address: 'mzJ2m4aZ1Lz4a1VbWZkcQ8V4zsfkS8UuWQ',
      script: null,
      amount: '0.10',
      currency: 'USD',
      satoshis: '200000',
      own: false,
      scripts: [],
      host: null,
    },
  ],
  operations: [],
  data: null,
  said: { label: null, buttonData: null, payerNote: null },
  amount: '0.10',
  currency: 'USD',
  satoshis: '200000',
  feeSatoshis: '12',
  totalSatoshis: '200012',
  rate: { currency: 'USD', price: '50', time: 1_790_000_000_000, sources: 2, dollar: '50' },
  quotedRate: { currency: 'USD', price: '50', time: 1_790_000_000_000, sources: 2, dollar: '50' },
  balanceSatoshis: '24680000',
  problem: null,
  receiveAddress: null,
};

export const allowance: AllowanceView = {
  token: 'token-of-an-allowance',
  clientIdentifier: '',
  automatic: false,
  currency: 'USD',
  limit: '5',
  perPayment: null,
  period: 'week',
  spent: '1.75',
  left: '3.25',
  resetsAt: new Date(2026, 10, 23).getTime(),
  totalSpent: '12.5',
  payments: 31,
  createdAt: 1_790_000_000_000,
  usedAt: 1_790_000_100_000,
  ceiling: { satoshis: '15000000', left: '11500000', perPayment: null },
};

export const allowanceSample: AllowancePromptView = {
  kind: 'allowance',
  origin: 'https://game.example',
  locked: false,
  network: 'devnet',
  clientIdentifier: 'space-game',
  current: null,
  mayBlock: false,
  suggested: { amount: '2', currency: 'USD' },
  minimum: { amount: '0.5', currency: 'USD' },
  allowanceRates: approval.allowanceRates,
  balanceSatoshis: '24680000',
};

export const signInSample: SignInView = {
  kind: 'sign-in',
  origin: 'http://localhost:3000',
  locked: false,
  network: 'devnet',
  mayBlock: false,
  serviceUrl: 'http://localhost:3000',
  register: null,
  account: { id: '1', handle: 'ada', paymail: 'ada@localhost', name: 'Ada' },
  publicKey: `02${'ab'.repeat(32)}`,
  text: 'localhost:3000 asks you to sign with your identity key:\n02abab',
};

export const mintSample: MintView = {
  kind: 'mint',
  origin: 'http://localhost:3000',
  locked: false,
  network: 'devnet',
  mayBlock: false,
  asset: { type: 'mint', symbol: 'Garden hours', decimals: 2, units: '100050' },
  feeSatoshis: '31',
  balanceSatoshis: '1000000',
  rate: null,
  problem: null,
  receiveAddress: null,
};

export const permissionSample: PermissionPromptView = {
  kind: 'permission',
  origin: 'https://app.example',
  locked: false,
  network: 'devnet',
  mayBlock: false,
  permission: { kind: 'protocol', level: 2, protocol: 'secret notes', counterparty: `02${'cd'.repeat(32)}` },
  publicKey: null,
  connects: false,
};

export const groupSample: PermissionGroupView = {
  kind: 'permission-group',
  origin: 'https://app.example',
  locked: false,
  network: 'devnet',
  mayBlock: false,
  clientIdentifier: '',
  wanted: [
    {
      permission: { kind: 'protocol', level: 1, protocol: 'secret notes', counterparty: null },
      said: 'To read your notes',
    },
    { permission: permissionSample.permission, said: null },
    { permission: { kind: 'basket', basket: 'notes' }, said: 'To keep your notes' },
  ],
  suggested: { amount: '0.02', currency: 'BSV' },
  current: null,
  certificates: true,
  allowanceRates: approval.allowanceRates,
  balanceSatoshis: '24680000',
};

export const signOperation: ShownOperation = {
  name: 'sig',
  method: 'sign',
  data: { text: 'I have read the terms.', hex: '', bytes: 22 },
  value: null,
  party: null,
  onChain: false,
};

export const operationsSample: OperationsPromptView = {
  kind: 'operations',
  origin: 'https://shop.example',
  locked: false,
  network: 'devnet',
  mayBlock: false,
  clientIdentifier: '',
  operations: [signOperation],
  publicKey: `02${'ab'.repeat(32)}`,
  paymail: 'ada@localhost',
  problem: null,
};
