/** Implements `createAction` of the BSV wallet interface (BRC-100). */
import { sha256 } from '@noble/hashes/sha2.js';
import { invalidParameter } from '../../../protocol/brc100/errors.ts';
import type { Brc100Args, Brc100Results } from '../../../protocol/brc100/methods.ts';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { MAX_SATOSHIS } from '../../../protocol/money/money.ts';
import { partOfBeef } from '../../chain/beef.ts';
import { readBeef } from '../../chain/read-beef.ts';
import { outpoint as outpointOf, fromDotted } from '../../coins/coin.ts';
import { readTransaction, database } from '../../store/database.ts';
import { requestAction, type RequestedAction } from '../../payments/sources/action/act.ts';
import type { ActionOutput } from '../../payments/action.ts';
import { sumOf } from '../../transaction/plan.ts';
import { mayBeSent } from '../../payments/network/finality.ts';
import type { Caller } from '../caller.ts';
import { inTurn } from '../permissions/permission-queue.ts';
import { isConnected, requireConnection } from '../permissions/require.ts';
import { requireBaskets } from '../outputs/baskets.ts';
import { changeOf, paymentsOf, sentResult, signableOf } from './result.ts';
import { readInputs } from './sources.ts';
import { paymentsMaking } from '../../payments/store.ts';
import { readCoin } from '../../coins/records.ts';
import type { Wallet } from '../../platform.ts';

type Args = Brc100Args<'createAction'>;

/** Creates a transaction, or sends earlier ones that were created with `noSend`. */
export async function createAction(wallet: Wallet, args: Args, caller: Caller): Promise<Brc100Results['createAction']> {
  const { inputs, outputs, options } = args;
  if (inputs.length === 0 && outputs.length === 0) {
    if (options.sendWith.length === 0) throw invalidParameter('inputs, outputs', 'at least one input or output.');
    return sentResult(wallet, caller, null, options);
  }
  const digest = digestOf(args);
  // Prepared only once, even if the call must be queued again.
  let wanted: Promise<RequestedAction> | undefined;
  const record = await inTurn(wallet, caller, (client) =>
    requestAction(wallet, client, digest, () => (wanted ??= prepare(wallet, args, caller))),
  );
  return record.state === 'signable'
    ? signableOf(wallet, record)
    : sentResult(wallet, caller, record, { ...options, beef: args.inputBEEF });
}

function digestOf(args: Args): string {
  const text = JSON.stringify(args, (_, value: unknown) =>
    value instanceof Uint8Array ? toHex(value) : typeof value === 'bigint' ? value.toString() : value,
  );
  return toHex(sha256(new TextEncoder().encode(text)));
}

async function prepare(wallet: Wallet, args: Args, caller: Caller): Promise<RequestedAction> {
  const { description, labels, version, lockTime, options } = args;
  const outputs = readOutputs(args);
  // If there are inputs, the result depends on the wallet's own records, so the site must be connected.
  if (args.inputs.length > 0 && !(await isConnected(wallet, caller.origin))) await requireConnection(wallet, caller);
  await paymentsOf(wallet, caller.origin, options.sendWith);
  await requireBaskets(
    wallet,
    outputs.flatMap(({ basket }) => basket ?? []),
    caller,
  );
  const noSendChange = await readNoSendChange(wallet, args, caller);
  const inputs = await readInputs(wallet, args, caller);
  const spent = [...noSendChange, ...inputs.map(({ txid, vout }) => outpointOf(txid, vout))];
  if (!options.noSend && !(await mayBeSent(wallet, caller.origin, { lockTime, inputs }, spent)))
    throw invalidParameter('lockTime', 'in the past, unless noSend is true.');
  const signLater = !options.signAndProcess || inputs.some(({ unlockingScript }) => unlockingScript === null);
  const beef = signLater ? sourcesIn(args) : undefined;
  return {
    description,
    labels,
    version,
    lockTime,
    inputs,
    outputs,
    noSendChange,
    randomizeOutputs: options.randomizeOutputs,
    signLater,
    noSend: options.noSend,
    answer: {
      acceptDelayedBroadcast: options.acceptDelayedBroadcast,
      returnTXIDOnly: options.returnTXIDOnly,
      sendWith: options.sendWith,
    },
    ...(beef && { beef }),
  };
}

/** Returns the part of a call's valid BEEF that contains the inputs' transactions. The rest isn't worth storing. */
function sourcesIn({ inputs, inputBEEF }: Args): Uint8Array | undefined {
  const txids = inputs.map(({ outpoint }) => outpoint.slice(0, 64));
  return inputBEEF && inputs.length > 0 ? partOfBeef(readBeef(inputBEEF), txids) : undefined;
}

/** Reads the requested outputs. @throws Brc100Error if they exceed the limits */
function readOutputs({ outputs: asked }: Args): ActionOutput[] {
  const outputs = asked.map(({ lockingScript, satoshis, outputDescription, basket, customInstructions, tags }) => ({
    lockingScript: fromHex(lockingScript),
    satoshis,
    description: outputDescription,
    basket: basket ?? null,
    customInstructions: customInstructions ?? null,
    tags,
  }));
  if (sumOf(outputs) > MAX_SATOSHIS) throw invalidParameter('outputs', 'a valid number of satoshis');
  return outputs;
}

/** Returns the change outputs, from the site's earlier unsent (`noSend`) transactions, that this action spends. */
async function readNoSendChange(wallet: Wallet, { inputs, options }: Args, { origin }: Caller): Promise<string[]> {
  const outpoints = [...new Set(options.noSendChange.map(fromDotted))];
  for (const outpoint of outpoints) {
    const coin = await readCoin(wallet, outpoint);
    const [maker] = await paymentsMaking(readTransaction(await database(wallet)), outpoint.slice(0, 64));
    const isChange = maker?.origin === origin && (await changeOf(wallet, maker)).includes(outpoint);
    const isAlsoInput = inputs.some((input) => fromDotted(input.outpoint) === outpoint);
    if (coin?.status !== 'pending' || !isChange || maker.trouble !== 'held' || isAlsoInput)
      throw invalidParameter('noSendChange', 'unspent change of the application’s own noSend transactions.');
  }
  return outpoints;
}
