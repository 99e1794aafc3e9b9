/**
 * Requests the service's records of transactions found on the chain. For payments made before a restore, a record
 * contains the site, the recipients' names, the button and the label. For paymail payments, it contains the sender and
 * the note. Records are unverified, and are ignored if they contradict the transaction.
 */
import type { Network } from '../../protocol/bitcoin/address.ts';
import { readPaymail, writePaymail } from '../../protocol/http/paymail.ts';
import {
  MAX_RECORDS_PER_REQUEST,
  receivedRecord,
  sentRecord,
  type ReceivedRecord,
  type SentRecord,
} from '../../protocol/http/records.ts';
import { networkInfo } from '../chain/network.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import { database, inTransaction, readKey, type WriteTransaction, readTransaction } from '../store/database.ts';
import { announceChange } from '../events.ts';
import { listRecords } from '../service/client.ts';
import { paidRecord } from './paid-record.ts';
import { coinsAt } from '../coins/records.ts';
import { changeReceipt, txidsUnasked } from '../coins/receipts/receipts.ts';
import { part, type Wallet } from '../platform.ts';

/** Maximum number of requests per run. The next run makes the remaining requests. */
const MAX_REQUESTS = 10;
/** Delay after a failed request (milliseconds). */
const WAIT_MS = 60_000;
const MAX_COINS_PER_ADDRESS = 100;

const memoryOf = part(() => ({
  failedAt: 0,
}));

/** Requests missing records, up to a limit per run. Never throws: the next run retries. */
export async function readRecords(wallet: Wallet): Promise<void> {
  const memory = memoryOf(wallet);
  if (Math.abs(wallet.now() - memory.failedAt) < WAIT_MS) return;
  try {
    if (!(await readKey(wallet, 'account'))) return;
    const { network } = await networkInfo(wallet);
    for (let requests = 0; requests < MAX_REQUESTS; requests += 1) {
      const txids = await txidsUnasked(readTransaction(await database(wallet)), MAX_RECORDS_PER_REQUEST);
      if (txids.length === 0) return;
      const { sent, received } = await listRecords(wallet, txids);
      await keep(wallet, txids, sent.flatMap(readSent), received.flatMap(readReceived), network);
      announceChange(wallet);
    }
  } catch {
    memory.failedAt = wallet.now();
  }
}

const readSent = (given: unknown): SentRecord[] => {
  const parsed = sentRecord.safeParse(given);
  return parsed.success ? [parsed.data] : [];
};
const readReceived = (given: unknown): ReceivedRecord[] => {
  const parsed = receivedRecord.safeParse(given);
  return parsed.success ? [parsed.data] : [];
};

/** Stores the response and marks the transactions as queried, in one database transaction. */
async function keep(
  wallet: Wallet,
  txids: readonly string[],
  sent: readonly SentRecord[],
  received: readonly ReceivedRecord[],
  network: Network,
): Promise<void> {
  await inTransaction(wallet, async (tx) => {
    for (const txid of txids)
      await changeReceipt(tx, txid, async ({ unasked: _, record: __, ...rest }) => ({
        ...rest,
        ...(rest.spent
          ? paidRecord(rest.spent, sent.filter((one) => one.txid === txid)[0], network)
          : await senderOf(tx, rest, received.filter((one) => one.txid === txid)[0])),
      }));
  });
}

/** Returns the sender and note for received money if every output in the record is one of the wallet's coins. */
async function senderOf(
  tx: WriteTransaction,
  { txid, sender, note }: Receipt,
  said: ReceivedRecord | undefined,
): Promise<Pick<Receipt, 'sender' | 'note' | 'notified'>> {
  if (!said || said.scripts.length === 0 || sender !== undefined) return {};
  for (const { script, satoshis } of said.scripts) {
    const coins = await coinsAt(tx, script, MAX_COINS_PER_ADDRESS);
    if (!coins.some((coin) => coin.txid === txid && coin.satoshis === BigInt(satoshis))) return {};
  }
  const paymail = said.sender === null ? null : readPaymail(said.sender);
  return {
    sender: paymail && { paymail: writePaymail(paymail), verified: said.senderVerified },
    note: note ?? (said.note || null),
    notified: true, // an old payment, which needs no notification
  };
}
