/**
 * What the account's service knows of transactions that were worked out from the chain: site, recipients' names, button and
 * label of what this wallet paid before it was restored, sender and note of what came in by paymail. It is the service's
 * word and goes beside the transaction's own figures; a record that does not agree with them counts as none.
 */
import type { Network } from '../../../protocol/address.ts';
import { readPaymail, writePaymail } from '../../../protocol/paymail.ts';
import {
  MOST_RECORDS,
  receivedRecord,
  sentRecord,
  type ReceivedRecord,
  type SentRecord,
} from '../../../protocol/records.ts';
import { networkInfo } from '../chain/network.ts';
import type { Receipt } from '../coins/receipt.ts';
import { database, inTransaction, readKey, type WriteTransaction } from '../database.ts';
import { announceChange } from '../events.ts';
import { listRecords } from '../service/client.ts';
import { paidRecord } from './paid-record.ts';

/** Requests in a row; the next time goes on with what is left. */
const MOST_REQUESTS = 10;
/** After a request that failed none is made for so long (milliseconds). */
const WAIT_MS = 60_000;
/** Coins of one address that are looked at. */
const MOST_AT_ONE_ADDRESS = 100;

let failedAt = 0;

/** Asks for what was not asked yet, a limited number of times. Never throws: what is left is asked at the next time. */
export async function readRecords(): Promise<void> {
  if (Math.abs(Date.now() - failedAt) < WAIT_MS || !(await readKey('account'))) return;
  try {
    const { network } = await networkInfo();
    for (let requests = 0; requests < MOST_REQUESTS; requests += 1) {
      const txids = await (await database()).getAllKeysFromIndex('receipts', 'unasked', 1, MOST_RECORDS);
      if (txids.length === 0) return;
      const { sent, received } = await listRecords(txids);
      await keep(txids, sent.flatMap(readSent), received.flatMap(readReceived), network);
      announceChange();
    }
  } catch {
    failedAt = Date.now();
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

/** Notes what was answered, and that it was asked, in one transaction. */
async function keep(
  txids: readonly string[],
  sent: readonly SentRecord[],
  received: readonly ReceivedRecord[],
  network: Network,
): Promise<void> {
  await inTransaction(async (tx) => {
    for (const txid of txids) {
      const receipt = await tx.objectStore('receipts').get(txid);
      if (!receipt) continue;
      const { unasked: _, record: __, ...rest } = receipt;
      await tx.objectStore('receipts').put({
        ...rest,
        ...(rest.spent
          ? paidRecord(rest.spent, sent.filter((one) => one.txid === txid)[0], network)
          : await senderOf(tx, rest, received.filter((one) => one.txid === txid)[0])),
      });
    }
  });
}

/** Sender and note of what came in, where each output that the record names is a coin of ours. */
async function senderOf(
  tx: WriteTransaction,
  { txid, sender, note }: Receipt,
  said: ReceivedRecord | undefined,
): Promise<Pick<Receipt, 'sender' | 'note' | 'notified'>> {
  if (!said || said.scripts.length === 0 || sender !== undefined) return {};
  for (const { script, satoshis } of said.scripts) {
    const coins = await tx.objectStore('coins').index('script').getAll(script, MOST_AT_ONE_ADDRESS);
    if (!coins.some((coin) => coin.txid === txid && coin.satoshis === BigInt(satoshis))) return {};
  }
  const paymail = said.sender === null ? null : readPaymail(said.sender);
  return {
    sender: paymail && { paymail: writePaymail(paymail), verified: said.senderVerified },
    note: note ?? (said.note || null),
    notified: true, // it is of the past
  };
}
