/**
 * Processes a transaction that an application creates (BRC-100, `createAction`) as a payment: quotes its outputs, pays
 * it from an allowance or prompts the user, then signs it or stores it until the application has signed.
 */
import { p2pkhHash, writeAddress, type Network } from '../../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import { satoshisToBsv } from '../../../../protocol/money/money.ts';
import { actionBytes, checkQuota, outputBytes } from '../../../baskets/site-quota.ts';
import { inDollars } from '../../../chain/rates.ts';
import { inTransaction, readTransaction, readKey, type WriteTransaction, database } from '../../../store/database.ts';
import { announceChange } from '../../../events.ts';
import { shared, waitAs, type Client } from '../../../prompts/request.ts';
import type { Quote, ResolvedOutput } from '../../../recipients/quote.ts';
import { readSettings } from '../../../settings.ts';
import { netOutputValue, type ActionOutput, type ActionPart } from '../../action.ts';
import { checkAddressLeft, withheldChange } from '../../plan/change-addresses.ts';
import { payOrPrompt } from '../page/from-allowance.ts';
import { outcomeOf, unlessEnded } from '../../outcome.ts';
import { processPayment } from '../../runner/runner.ts';
import { promptKeyOf, startPayment, startPrompt, newPayment, newReport } from '../../start.ts';
import type { PaymentRecord } from '../../record.ts';
import { allowanceKeyOf, unfinishedBytesOf } from '../../move.ts';
import { promptIfWithheld } from '../page/request.ts';
import { countOfSite, paymentOfRequest } from '../../store.ts';
import { getAllowance } from '../../../allowances/records.ts';
import type { Wallet } from '../../../platform.ts';

/** Maximum number of a site's transactions that await its signatures. */
const MAX_SIGNABLE_ACTIONS = 100;
/** Maximum number of a site's signed transactions that the network doesn't have. */
const MAX_UNSENT_ACTIONS = 1000;
/** Maximum length of a script shown as a recipient, in characters. */
const SCRIPT_SHOWN = 200;

/** An application's validated transaction. */
export interface RequestedAction extends Omit<ActionPart, 'reference' | 'digest'> {
  description: string;
}

/**
 * Gets the transaction approved, by an allowance or the user, and signs it once. A repeated call with the same message
 * ID returns the same payment.
 * @param digest digest of the whole call
 * @param prepare validates the transaction; not called if the payment exists
 * @returns the payment, either `signable` or signed
 * @throws ServiceError `wallet-not-set-up`, `request-id-reused`, `busy`, `too-many-requests`, `too-many-unsent`,
 * `site-blocked`, the reason why it wasn't paid, and the errors of `prepare`
 */
export async function requestAction(
  wallet: Wallet,
  caller: Client,
  digest: string,
  prepare: () => Promise<RequestedAction>,
): Promise<PaymentRecord> {
  if (!(await readKey(wallet, 'vault'))) throw new ServiceError('wallet-not-set-up');
  const { origin, message, client, userActivation } = caller;
  const name = `action ${message}`;
  const record = await shared(wallet, `${name} ${origin}`, async () => {
    const known = await paymentOfRequest(readTransaction(await database(wallet)), origin, name);
    const begun = known ?? (await store(wallet, caller, name, digest, await prepare()));
    if (begun.state !== 'requested') return begun;
    await payOrPrompt(wallet, begun, { userActivation });
    return begun;
  });
  if (record.action?.digest !== digest) throw new ServiceError('request-id-reused');
  return waitAs(wallet, promptKeyOf(record), client, () => decided(wallet, record, caller));
}

async function store(
  wallet: Wallet,
  { origin, userActivation }: Client,
  requestId: string,
  digest: string,
  { description, ...wanted }: RequestedAction,
): Promise<PaymentRecord> {
  const { network } = await readSettings(wallet);
  const record = newPayment(wallet, {
    requestId,
    origin,
    state: 'requested',
    // Applications create actions without user gestures.
    automatic: true,
    options: { outputs: [], label: description },
    quote: await quoteOf(wallet, wanted, network),
    report: newReport('none'), // actions are private to the user and the application
    action: { ...wanted, digest, reference: newReference(wallet) },
  });
  const stored = await inTransaction(wallet, async (tx) => {
    const known = await paymentOfRequest(tx, origin, requestId);
    if (known) return known;
    await checkPlace(tx, origin);
    await checkRoomFor(wallet, tx, record);
    await checkAddressLeft(wallet, tx, wanted);
    // The change may have been spent while the request was queued, in which case no window opens.
    await withheldChange(tx, wanted.noSendChange);
    const allowance = await getAllowance(tx, allowanceKeyOf(record));
    const hasWindow = userActivation === 'embedded' || !allowance;
    await startPrompt(wallet, tx, record, { hasWindow, isQuoted: true, userActivation });
    return startPayment(wallet, tx, record);
  });
  announceChange(wallet);
  return stored;
}

/**
 * Checks, before anything is paid, that the site's quota has room for the basket outputs, scripts, source transactions,
 * descriptions and labels. Signing repeats the check, because the site's other actions may have used up the space
 * (store-signed.ts).
 * @throws ServiceError `baskets-full`
 */
async function checkRoomFor(wallet: Wallet, tx: WriteTransaction, record: PaymentRecord): Promise<void> {
  const { origin, options, action } = record;
  const { labels = [], outputs = [] } = action ?? {};
  const kept = outputs.map(({ basket, lockingScript, ...output }) =>
    basket === null ? 0 : outputBytes({ ...output, basket, origin, script: toHex(lockingScript) }),
  );
  const said = outputs.map(({ description }, vout) => ({ vout, description }));
  const texts = actionBytes({ origin, description: options.label ?? '', labels, outputs: said });
  const more = kept.reduce((sum, bytes) => sum + bytes, texts + unfinishedBytesOf(record));
  if (more > 0) await checkQuota(wallet, tx, origin, more);
}

/** Limits a site's unfinished actions, which could fill the disk. @throws ServiceError `too-many-requests` */
async function checkPlace(tx: WriteTransaction, origin: string): Promise<void> {
  const [signable, unsent] = [await countOfSite(tx, origin, 'signable'), await countOfSite(tx, origin, 'signed')];
  const most = (count: number, what: string) =>
    new ServiceError('too-many-requests', { message: `At most ${count.toLocaleString('en')} actions ${what}.` });
  if (signable >= MAX_SIGNABLE_ACTIONS)
    throw most(MAX_SIGNABLE_ACTIONS, 'can wait for signAction. Finish or abort some');
  if (unsent >= MAX_UNSENT_ACTIONS) throw most(MAX_UNSENT_ACTIONS, 'can wait for the network. Send some');
}

function newReference(wallet: Wallet): string {
  return btoa(String.fromCharCode(...wallet.getRandomValues(new Uint8Array(32))));
}

/** Quotes the amount that the user pays, without the fee. Zero if the application's inputs exceed its outputs. */
async function quoteOf(
  wallet: Wallet,
  action: Pick<ActionPart, 'inputs' | 'outputs'>,
  network: Network,
): Promise<Quote> {
  const taken = netOutputValue(action);
  const satoshis = taken > 0n ? taken : 0n;
  return {
    outputs: action.outputs.map((output) => resolved(output, network)),
    amount: satoshisToBsv(satoshis),
    currency: 'BSV',
    satoshis,
    amountUsd: await inDollars(wallet, satoshis),
  };
}

/** Converts an output for display. A P2PKH script is shown as its address. */
function resolved({ satoshis, lockingScript }: ActionOutput, network: Network): ResolvedOutput {
  const script = toHex(lockingScript);
  const hash = p2pkhHash(lockingScript);
  const address = hash && writeAddress(hash, network);
  const to = address ?? (script.length > SCRIPT_SHOWN ? `${script.slice(0, SCRIPT_SHOWN)} …` : script);
  return {
    type: address === null ? 'SCRIPT' : 'ADDRESS',
    to,
    paymail: null,
    userId: null,
    address,
    script: address === null ? to : null,
    amount: satoshisToBsv(satoshis),
    currency: 'BSV',
    satoshis: satoshis.toString(),
    scripts: [{ script, satoshis }],
  };
}

/** Waits until the action is signed or `signable`. Throws if it fails. */
function decided(wallet: Wallet, { id }: PaymentRecord, { userActivation }: Client): Promise<PaymentRecord> {
  void processPayment(wallet, id);
  return outcomeOf(wallet, id, async (record) => {
    if (record?.signed || record?.state === 'signable') return record;
    await promptIfWithheld(wallet, unlessEnded(record), userActivation);
    return undefined;
  });
}
