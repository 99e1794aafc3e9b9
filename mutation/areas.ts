/** What `npm run mutate` knows by name: code that decides about money and keys, and the tests that must notice when it is changed. */

interface Area {
  /** Folders and files that are mutated, without their tests. */
  code: readonly string[];
  /** Folders and files whose tests are run against the mutants. */
  tests: readonly string[];
}

const background = (folder: string, ...tests: string[]): Area => ({
  code: [`extension/background/${folder}`],
  tests: [folder, ...tests].map((path) => `extension/background/${path}`),
});

/** The test files of one folder that take little time, where others in it make whole payments. */
const light = (folder: string, ...files: string[]): Area => ({
  code: [`extension/background/${folder}`],
  tests: files.map((file) => `extension/background/${folder}/${file}.test.ts`),
});

const server = (folder: string, ...tests: string[]): Area => ({
  code: [`server/${folder}`],
  tests: [folder, ...tests].map((path) => `server/${path}`),
});

/** Tests that cannot be run so, and code that these alone test. */
export const LEFT_OUT = {
  tests: [
    // They run most code, and take minutes in instrumented code.
    '**/*.full.test.ts',
    '**/crash.test.ts',
    '**/kept-apart.test.ts',
    // They change the time zone, which a thread cannot.
    'extension/background/allowances/period.test.ts',
  ],
  code: ['extension/background/allowances/period.ts'],
} as const;

/** By the name that the command takes. */
export const AREAS: Readonly<Record<string, Area>> = {
  protocol: { code: ['protocol'], tests: ['protocol'] },
  transaction: background('transaction'),
  coins: light(
    'coins',
    'address',
    'addresses',
    'balance-totals',
    'choose',
    'coin',
    'gone',
    'history',
    'likely-time',
    'reorg',
    'script-room',
    'store',
  ),
  scan: light(
    'scan',
    'confirm',
    'kept-outputs',
    'lists',
    'look-for-gone',
    'one-refresh',
    'own-part',
    'poll',
    'read',
    'read-history',
    'spent',
    'store',
    'which',
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
  vault: light(
    'vault',
    'app-log-key',
    'attempts',
    'base-multiples',
    'bip32-curve',
    'derived-keys',
    'ecdsa',
    'identity',
    'keys',
    'passkey',
    'passkeys',
    'payment-key',
    'public-children',
    'seal',
    'session',
    'sign-many',
    'signed-message',
    'vault',
    'words',
  ),
  prompts: light('prompts', 'ask', 'decide', 'limits', 'same-options'),
  oauth: server('oauth'),
  payments: server('payments', 'received/store.test.ts'),
  'payment-reports': server('payment-reports', 'received/store.test.ts', 'web/dashboard/token-payment.test.ts'),
  paymail: {
    code: ['server/paymail', 'server/outbound-requests'],
    tests: ['server/paymail', 'server/outbound-requests'],
  },
};

/** Test files below folders, as vitest takes them; a path that names a test file stands for itself. */
export const testFilesOf = (paths: readonly string[]): string[] =>
  paths.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`));
