/** The modules of the extension's background that tests call directly. Each worker run loads them again. */

const MODULES = {
  main: () => import('../../extension/background/start.ts'),
  request: () => import('../../wallet/payments/sources/page/request.ts'),
  vault: () => import('../../wallet/vault/vault.ts'),
  overview: () => import('../../wallet/overview.ts'),
  poll: () => import('../../wallet/scan/poll.ts'),
  transition: () => import('../../wallet/payments/store.ts'),
  store: () => import('../../wallet/coins/coin-store.ts'),
  drive: () => import('../../wallet/payments/runner/runner.ts'),
  client: () => import('../../wallet/service/session.ts'),
  router: () => import('../../extension/background/router.ts'),
  session: () => import('../../wallet/vault/session.ts'),
  addresses: () => import('../../wallet/coins/addresses/addresses.ts'),
  database: () => import('../../wallet/store/database.ts'),
  words: () => import('../../wallet/keys/mnemonic.ts'),
  revive: () => import('../../wallet/payments/runner/revive.ts'),
  spend: () => import('../../wallet/allowances/spend.ts'),
  allowances: () => import('../../wallet/allowances/allowance-store.ts'),
  allowanceRecords: () => import('../../wallet/allowances/records.ts'),
  asks: () => import('../../wallet/allowances/allowance-prompt.ts'),
  sites: () => import('../../wallet/sites/store.ts'),
  list: () => import('../../wallet/site-list.ts'),
  commit: () => import('../../wallet/payments/plan/commit.ts'),
  draftFromAllowance: () => import('../../wallet/payments/plan/draft-from-allowance.ts'),
  paymentPrompt: () => import('../../wallet/payments/start.ts'),
  prune: () => import('../../wallet/payments/prune.ts'),
  rates: () => import('../../wallet/page-exchange-rates.ts'),
  handlers: () => import('../../wallet/wallet-handlers.ts'),
  prompts: () => import('../../wallet/prompts/request.ts'),
  decide: () => import('../../wallet/prompts/decide.ts'),
  promptStore: () => import('../../wallet/prompts/store.ts'),
  signIn: () => import('../../wallet/sign-in/sign-in-prompt.ts'),
  pages: () => import('../../wallet/page-handlers.ts'),
  planSwipe: () => import('../../wallet/payments/sources/page/plan-swipe.ts'),
  swipeLimits: () => import('../../wallet/allowances/swipe-limits.ts'),
  appRecord: () => import('../../wallet/app-log/record.ts'),
  appSync: () => import('../../wallet/app-backup/sync.ts'),
  appFile: () => import('../../wallet/app-backup/file.ts'),
  appApply: () => import('../../wallet/app-backup/apply.ts'),
  appState: () => import('../../wallet/app-backup/state.ts'),
  calls: () => import('../../wallet/brc100/call.ts'),
  permissions: () => import('../../wallet/brc100/permissions/require.ts'),
  permissionStore: () => import('../../wallet/permissions/store.ts'),
  wire: () => import('../../protocol/errors/service-error.ts'),
};
export type Modules = { [N in keyof typeof MODULES]: Awaited<ReturnType<(typeof MODULES)[N]>> };

export async function loadModules(): Promise<Modules> {
  const loaded = Object.entries(MODULES).map(async ([name, load]) => [name, await load()] as const);
  return Object.fromEntries(await Promise.all(loaded)) as Modules;
}
