/** Deliberate defects in the wallet. A simulation must detect each defect. */
import type { Sabotage } from './bundle.ts';

const PAYMENT = 'wallet/payments/';

/** Replaces one piece of code in one file. */
const change =
  (file: string, before: string, after: string, first = ''): Sabotage =>
  (path, code) => {
    if (path !== file) return null;
    if (!code.includes(before)) throw new Error(`${file} does not contain ${before}`);
    return first + code.replace(before, after);
  };

/** Combines several changes, which may affect the same file. */
const all =
  (...changes: readonly Sabotage[]): Sabotage =>
  (path, code) =>
    changes.reduce<string | null>((changed, one) => one(path, changed ?? code) ?? changed, null);

export const SABOTAGES: Record<string, Sabotage> = {
  'reserves no coins': change(
    `${PAYMENT}plan/commit.ts`,
    "await changeCoin(tx, coin, { event: 'reserve', paymentId });",
    '',
  ),
  'sends before it stores': change(
    `${PAYMENT}plan/commit.ts`,
    '    try {\n      return await transition(\n        wallet,',
    '    if (signed) await submit(wallet, await networkInfo(wallet), { rawtx: toHex(signed.bytes), txid: signed.txid });\n    try {\n      return await transition(\n        wallet,',
    "import { submit } from '../../chain/operators.ts';\nimport { networkInfo } from '../../chain/network.ts';\nimport { toHex } from '../../../protocol/bitcoin/bytes.ts';\n",
  ),
  'counts limits late': change(
    'wallet/allowances/spend.ts',
    "await putAllowance(tx, stored.kind === 'any-site' ? withUse(after, site, more, now) : after);",
    'wallet.setTimeout(() => void inTransaction(wallet, (later) => putAllowance(later, after)), 20_000);',
    "import { inTransaction } from '../store/database.ts';\n",
  ),
  // The wallet limits the fee twice: when it plans the payment for the window, and when it plans the payment again
  // after the approval.
  'pays any fee': all(
    change(`${PAYMENT}plan/kept-draft.ts`, 'if (mostFee !== undefined && feeSatoshis > mostFee) return false;', ''),
    change(
      `${PAYMENT}sources/page/payment-prompt.ts`,
      'cachedDraft(wallet, record, feeLimit ?? undefined,',
      'cachedDraft(wallet, record, undefined,',
    ),
    change(
      `${PAYMENT}plan/commit.ts`,
      'draftPayment(wallet, record, record.feeLimit,',
      'draftPayment(wallet, record, undefined,',
    ),
  ),
  'forgets reorganisations': change(
    'wallet/coins/reorg.ts',
    'const above = wallet.keyRange.lowerBound(height, true);',
    'if (height > 0) return;\n  const above = wallet.keyRange.lowerBound(height, true);',
  ),
  'frees the coins of what was refused': change(
    `${PAYMENT}network/broadcast.ts`,
    'await postpone(wallet, record.id, ...postponement(outcome, doubtful));',
    "if (outcome.kind === 'refused')\n      return transition(wallet, record.id, 'signed', async (now, tx) => {\n        await releaseCoins(wallet, tx, now.signed!.inputs, now.id);\n        return { event: 'abandon', error: { code: 'network-rejected', message: '' } };\n      });\n  await postpone(wallet, record.id, ...postponement(outcome, doubtful));",
    "import { releaseCoins } from './conflicts.ts';\n",
  ),
  'delivers only once': change(
    `${PAYMENT}outbox/deliver.ts`,
    "rejection.final || isGivenUp(wallet, record, delivery)\n          ? 'given-up'\n          : 'waiting'",
    "'given-up'",
  ),
  // The wallet checks the sum of a host's outputs twice.
  'pays what a host gives out': all(
    change('wallet/paymail/destination.ts', 'if (sum !== satoshis)', 'if (sum < 0n)'),
    change('wallet/recipients/resolve.ts', 'if (sum !== satoshis ||', 'if (sum < 0n ||'),
  ),
  'believes what ARC says of blocks': change(
    `${PAYMENT}network/broadcast.ts`,
    'status === null || mined || overdue ? await provenBlock(wallet, info, txid) : null',
    'mined ? await heldTip(wallet) : status === null || overdue ? await provenBlock(wallet, info, txid) : null',
  ),
  'voids what is mined': all(
    change(
      `${PAYMENT}network/conflicts.ts`,
      'await markCoinsSpent(wallet, tx, mined);',
      'await markCoinsSpent(wallet, tx, mined);\n  await voidOutputs(wallet, tx, mined);',
    ),
    change(`${PAYMENT}network/conflicts.ts`, "=== 'available') && coin.height === null)", "=== 'available'))"),
  ),
  'ends what is mined': all(
    change(
      `${PAYMENT}network/conflicts.ts`,
      'if (rival.id !== id && rival.signed?.txid !== txid) await end(',
      'await end(',
    ),
    change(
      `${PAYMENT}network/conflicts.ts`,
      '!isLive(before) || before.height !== null) return;',
      '!isLive(before)) return;',
    ),
  ),
  'gives debits back when a block comes': change(
    `${PAYMENT}network/conflicts.ts`,
    'await markCoinsSpent(wallet, tx, mined);',
    'await markCoinsSpent(wallet, tx, mined);\n  if (mined.allowance) await refundDebit(wallet, tx, mined.allowance, []);',
  ),
  'spends change before the network has it': all(
    change(
      `${PAYMENT}plan/store-signed.ts`,
      "status: 'pending',\n      paymentId,",
      "status: 'available',\n      paymentId,",
    ),
    change(
      `${PAYMENT}network/broadcast.ts`,
      'return makers.some((own) => own.length > 0 && !own.some(isOnNetwork));',
      'return makers.length < 0;',
    ),
  ),
  'replaces nothing, and says nothing': all(
    change(
      `${PAYMENT}network/replace.ts`,
      'const isWanted = (one: LightPayment, isRepeated = repeats) =>',
      '$& false && ',
    ),
    change(`${PAYMENT}network/replace.ts`, 'if (next.cancel || next.asset?.mint) return false;', 'return false;'),
  ),
  'waits ever longer': change(
    `${PAYMENT}retry.ts`,
    'nextAt: wallet.now() + delayAfter(tried, longestMs), problem',
    'nextAt: wallet.now() + delayAfter(tried + 8, Infinity), problem',
  ),
  'forgets what applications keep': change(
    'wallet/baskets/outputs.ts',
    'function logKept(wallet: Wallet, tx: WriteTransaction, output: NewOutput): Promise<void> {',
    '$&\n  if (output.basket) return Promise.resolve();',
  ),
  'refuses what only waits for an application': change(
    `${PAYMENT}plan/draft.ts`,
    "if (wish.setAside || wish.spares === 'all' || !isShort(error)) throw error;",
    'throw error;',
  ),
  // Only Arcade requires the Extended Format.
  'submits no Extended Format': change(
    'wallet/chain/operators.ts',
    'const extended = await extendedOf(wallet, info, transaction).catch(() => null);',
    'const extended = null;',
  ),
  // Two checks prevent this: the revocation of pending actions, and the check of the site before each step.
  'sends what a block has ended': all(
    change(
      `${PAYMENT}sources/action/revoke.ts`,
      'const revoked = new Set<string>();',
      'if (allowance === null) return;\n  $&',
    ),
    change(
      'wallet/sites/store.ts',
      'return site !== undefined && site.blockedUntil !== null && now < site.blockedUntil;',
      'return false;',
    ),
  ),
  'keeps times of a clock that was ahead': change(
    'wallet/stored-times/correct.ts',
    'const wrong = await wrongRecords(wallet, now);',
    'const wrong: Awaited<ReturnType<typeof wrongRecords>> = [];',
  ),
  'makes a transaction twice': all(
    change(`${PAYMENT}plan/store-signed.ts`, 'if (found.some(Boolean)) throw isThere();', 'void found;'),
    change(`${PAYMENT}plan/store-signed.ts`, 'txid)) throw isThere();\n}', 'txid)) ;\n}'),
    change(`${PAYMENT}plan/sign.ts`, 'const key = outpoint(txid, vout);', '$&\n  if (key) return false;'),
    change('wallet/brc100/actions/sources.ts', 'if (!(await isVerified(', 'if (false && !(await isVerified('),
    change('wallet/coins/records.ts', 'if (before) throw', 'if (false && before) throw'),
  ),
  'gives addresses far ahead': change(
    'wallet/coins/addresses/addresses.ts',
    'if (areDerived) return free;',
    'const upTo = (await reachOf(wallet, chain)) + ahead;\n  await extendChain(wallet, keys, network, chain, upTo + 30);\n  if (areDerived || free) return addressesBetween(wallet, chain, upTo + 30 - count, upTo + 29);',
  ),
  'counts change that may never come': change(
    'wallet/coins/coin.ts',
    "(coin.status === 'pending' && !coin.isUnproven)",
    "coin.status === 'pending'",
  ),
  'counts no swipes': change(
    'wallet/allowances/spend.ts',
    "await putAllowance(tx, stored.kind === 'any-site' ? withUse(after, site, more, now) : after);",
    "if (stored.kind !== 'any-site') await putAllowance(tx, after);",
  ),
  'pays any fee of a swipe': change(
    `${PAYMENT}sources/page/from-allowance.ts`,
    'await decideAndCommit(wallet, ANY_SITE, record, userActivation, swiped.feeSatoshis);',
    'await decideAndCommit(wallet, ANY_SITE, record, userActivation, null);',
  ),
  'signs in late': change(
    'wallet/sign-in/sign-in-prompt.ts',
    'if (isOver(prompt.details.expiresAt, wallet.now())) {',
    'if (isOver(prompt.details.expiresAt, 0)) {',
  ),
  // The wallet checks the account twice: before each attempt, and when it lists due reports.
  'reports to no shop whose account was left': change(
    `${PAYMENT}remaining-work.ts`,
    "serviceReport?.state === 'by-account' &&\n    (serviceReport.service !== accountAt || isAccountUnusable(report))",
    'false',
  ),
  // Only worlds with tokens and ordinals have coins of one satoshi.
  'spends tokens as money': change(
    'wallet/coins/choose.ts',
    'if (single) return [...required, single];',
    'const token = required.length > 0 ? undefined : await source.smallest(3 as Tier, 1n);\n    if (single) return [...required, single, ...(token ? [token] : [])];',
  ),
  'burns the rest of a token': change(
    `${PAYMENT}plan/token-coins.ts`,
    'left: left > 0n ? [holding(id, left, await ownLock(wallet))] : []',
    'left: []',
  ),
  'spends false tokens': change(
    `${PAYMENT}plan/token-coins.ts`,
    "record?.verdict?.state === 'valid'",
    "record?.verdict?.state !== 'unknown'",
  ),
  'spends an ordinal behind money': change(
    `${PAYMENT}plan/build.ts`,
    'inputs: [...required, ...money]',
    'inputs: [...money, ...required]',
  ),
  'misses what another browser spends': change(
    'wallet/coins/coin-store.ts',
    "if (coin?.status !== 'available' && coin?.status !== 'gone') continue;",
    'continue;',
  ),
  'counts both of two competing payments': change(
    'wallet/coins/unproven.ts',
    'if (!rival || height !== null || rival === signed?.txid) return false;',
    'return false;',
  ),
  'keeps a replaced payment in the balance': change(
    'wallet/scan/confirm.ts',
    'await isReplacedOnIndex(wallet, receipt, receipts, work.shown)',
    'false',
  ),
  // The ancestors of dropped money are otherwise checked once a day.
  'checks only the inputs of a payment': change(
    'wallet/coins/gone.ts',
    "if (receipt?.failed !== 'dropped') continue;",
    'continue;',
  ),
};
