/** Areas for `npm run mutate`: code that decides about money and keys, and the tests that must notice its mutation. */

interface Area {
  /** Files and folders to mutate, without their tests. */
  code: readonly string[];
  /** Files and folders whose tests run against the mutants. */
  tests: readonly string[];
}

const background = (folder: string, ...tests: string[]): Area => ({
  code: [`wallet/${folder}`],
  tests: [folder, ...tests].map((path) => `wallet/${path}`),
});

/** The fast test files of a folder in which others make whole payments. */
const light = (folder: string, ...files: string[]): Area => ({
  code: [`wallet/${folder}`],
  tests: files.map((file) => `wallet/${folder}/${file}.test.ts`),
});

const server = (folder: string, ...tests: string[]): Area => ({
  code: [`server/${folder}`],
  tests: [folder, ...tests].map((path) => `server/${path}`),
});

/** Tests that can't run this way, and code that only these test. */
export const LEFT_OUT = {
  tests: [
    // They run most code, and take minutes with instrumentation.
    '**/*.full.test.ts',
    '**/crash.test.ts',
    '**/kept-apart.test.ts',
    // They change the time zone, which a thread can't.
    'wallet/allowances/period.test.ts',
  ],
  code: ['wallet/allowances/period.ts'],
} as const;

/** By the command's name for them. */
export const AREAS: Readonly<Record<string, Area>> = {
  protocol: { code: ['protocol'], tests: ['protocol'] },
  transaction: background('transaction'),
  coins: light(
    'coins',
    'addresses/addresses',
    'addresses/records',
    'balance-totals',
    'choose',
    'coin',
    'gone',
    'history',
    'likely-time',
    'reorg',
    'store',
  ),
  scan: light(
    'scan',
    'confirm',
    'kept-outputs',
    'lists',
    'look-for-gone',
    'one-refresh',
    'history/own-part',
    'poll',
    'history/read',
    'history/read-history',
    'spent',
    'store',
    'history/which',
    'work',
  ),
  received: light(
    'received',
    'ask-for-refunds',
    'check',
    'fetch',
    'listen',
    'notification-texts',
    'notify',
    'paid-record',
    'read-records',
    'store',
  ),
  allowances: light('allowances', 'allowance', 'decide', 'prompt', 'spend', 'store', 'units'),
  keys: background('keys'),
  vault: light(
    'vault',
    'app-log-key',
    'attempts',
    'identity',
    'passkey',
    'passkeys',
    'payment-key',
    'seal',
    'session',
    'vault',
  ),
  prompts: light('prompts', 'decide', 'limits', 'request', 'store'),
  oauth: server('oauth'),
  payments: server('payments', 'received/store.test.ts'),
  'payment-reports': server(
    'payment-reports',
    'received/store.test.ts',
    'web/dashboard/payments/token-payment.test.ts',
  ),
  paymail: {
    code: ['server/paymail', 'server/outbound-requests'],
    tests: ['server/paymail', 'server/outbound-requests'],
  },
};

/** Test files below folders, as vitest's patterns. A path of a test file stands for itself. */
export const testFilesOf = (paths: readonly string[]): string[] =>
  paths.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`));
