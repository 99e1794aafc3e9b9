/** Areas for `npm run mutate`: code that handles money and keys, and the tests that must detect its mutants. */

interface Area {
  /** Files and folders to mutate, except their tests. */
  code: readonly string[];
  /** Files and folders whose tests run against the mutants. */
  tests: readonly string[];
}

const background = (folder: string, ...tests: string[]): Area => ({
  code: [`wallet/${folder}`],
  tests: [folder, ...tests].map((path) => `wallet/${path}`),
});

/** An area with only the fast test files in a folder. The folder's other tests make entire payments. */
const light = (folder: string, ...files: string[]): Area => ({
  code: [`wallet/${folder}`],
  tests: files.map((file) => `wallet/${folder}/${file}.test.ts`),
});

const server = (folder: string, ...tests: string[]): Area => ({
  code: [`server/${folder}`],
  tests: [folder, ...tests].map((path) => `server/${path}`),
});

/** Tests that are incompatible with mutation testing, and code that only these tests cover. */
export const LEFT_OUT = {
  tests: [
    // These tests run most of the code, and take minutes when instrumented.
    '**/*.full.test.ts',
    '**/crash.test.ts',
    '**/kept-apart.test.ts',
    // This test changes the time zone, which isn't possible in a worker thread.
    'wallet/allowances/period.test.ts',
  ],
  code: ['wallet/allowances/period.ts'],
} as const;

/** Areas by the name passed to the command. */
export const AREAS: Readonly<Record<string, Area>> = {
  protocol: { code: ['protocol'], tests: ['protocol'] },
  transaction: background('transaction'),
  coins: light(
    'coins',
    'addresses/addresses',
    'addresses/records',
    'records',
    'choose',
    'coin',
    'gone',
    'history',
    'likely-time',
    'reorg',
    'coin-store',
  ),
  scan: light(
    'scan',
    'confirm',
    'kept-outputs',
    'lists',
    'look-for-gone',
    'one-refresh',
    'history/wallet-effect',
    'poll',
    'history/read',
    'history/read-history',
    'spent',
    'scan-progress',
    'history/address-selection',
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
  allowances: light(
    'allowances',
    'allowance',
    'decide',
    'allowance-prompt',
    'spend',
    'allowance-store',
    'decide-units',
  ),
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
  prompts: light('prompts', 'decide', 'store-limits', 'request', 'store'),
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

/** Converts paths to vitest's patterns. A folder matches all test files below it. */
export const testFilesOf = (paths: readonly string[]): string[] =>
  paths.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`));
