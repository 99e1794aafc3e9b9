/** Fuzzes responses from indexes and ARC. Each input is the response to every request by their clients. */
import { answeredWith } from './testing-world.ts';
import { createBroadcaster, type Dialect } from '../../protocol/network/broadcaster/broadcaster.ts';
import { send } from '../../wallet/chain/http.ts';
import { historyOf, historyOfMany, isUsed } from '../../wallet/chain/address-histories.ts';
import * as woc from '../../wallet/chain/whats-on-chain.ts';
import { chaintracks } from '../../wallet/chain/headers/header-sources.ts';
import { isCountedValid, oneSatOutputsOf, indexedToken } from '../../wallet/chain/ordinals-index.ts';
import { parseTransactionHex } from '../../protocol/bitcoin/transaction.ts';
import { must, orRefusal, orRefusalOf, target } from '../target.ts';
import { TXID } from './testing-seeds.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const ADDRESS = 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb';
const WHERE = 'http://localhost';
const coin = { tx_hash: TXID, tx_pos: 0, value: 1000, height: 5, isSpentInMempoolTx: false };
const list = { result: [{ tx_hash: TXID, height: 5 }] };
const HEADER = {
  hash: TXID,
  height: 1,
  version: 1,
  merkleroot: TXID,
  time: 1,
  nonce: 1,
  bits: '207fffff',
  previousblockhash: TXID,
};

const operator = (known: Dialect) =>
  createBroadcaster(
    { url: WHERE, key: null },
    { send: (url, request) => send(wallet, url, request), now: () => 0 },
    { known },
  );

const QUESTIONS: Readonly<Record<string, () => Promise<unknown>>> = {
  policy: () => operator('arc').policy(),
  broadcast: () => operator('arcade').submit({ txid: TXID, rawtx: '00', extended: null }),
  status: () => operator('arcade').status(TXID),
  unspent: () => woc.unspentOf(wallet, WHERE, [ADDRESS]),
  histories: () => historyOfMany(wallet, WHERE, [ADDRESS]),
  history: () => historyOf(wallet, WHERE, ADDRESS, () => undefined),
  used: () => isUsed(wallet, WHERE, ADDRESS),
  hex: () => woc.transactionHex(wallet, WHERE, TXID),
  proof: () => woc.merkleProofs(wallet, WHERE, TXID),
  header: () => woc.blockHeader(wallet, WHERE, 1),
  tip: () => woc.chainTip(wallet, WHERE),
  chaintracks: () => chaintracks(wallet, WHERE).tip(),
  spender: () => woc.spenderOf(wallet, WHERE, TXID, 0),
  oneSat: () => oneSatOutputsOf(wallet, WHERE, ADDRESS, () => undefined),
  counted: () => isCountedValid(wallet, WHERE, TXID, 0, `${TXID}_0`),
  token: () => indexedToken(wallet, WHERE, `${TXID}_0`),
};

export default target({
  form: 'json',
  seeds: () =>
    [
      { policy: { miningFee: { satoshis: 1, bytes: 1000 }, maxtxsizepolicy: 1 }, timestamp: '2026-01-01T00:00:00Z' },
      { txid: TXID, txStatus: 'SEEN_ON_NETWORK', blockHash: TXID, blockHeight: 5, merklePath: '', extraInfo: '' },
      { title: 'Fee too low', status: 465, detail: 'more' },
      [{ address: ADDRESS, result: [coin] }],
      [{ address: ADDRESS, unconfirmed: list, confirmed: list }],
      { result: [coin], nextPageToken: '' },
      [{ index: 0, txOrId: TXID, target: TXID, nodes: [TXID, '*'] }],
      HEADER,
      { blocks: 5, bestblockhash: TXID, chain: 'main' },
      { txid: TXID },
      '01000000010000',
      [{ txid: TXID, vout: 0, satoshis: 1, height: 5, origin: { outpoint: `${TXID}_0` } }],
      [{ outpoint: `${TXID}.0`, score: 5.5, satoshis: 1, blockHeight: 5, data: { origin: { outpoint: `${TXID}_0` } } }],
      { status: 1, id: `${TXID}_0` },
      { hash: TXID, height: 1, version: 1, merkleRoot: TXID, time: 1, nonce: 1, bits: 5, previousHash: TXID },
      { sym: 'GOLD', dec: 2, amt: '2100', icon: `${TXID}_0` },
    ].map((one) => JSON.stringify(one)),
  read: (input) =>
    answeredWith(input, async () => {
      const told: Record<string, unknown> = {};
      for (const [name, ask] of Object.entries(QUESTIONS))
        told[name] = await orRefusalOf(['network-unavailable', 'too-large'], ask);
      return told as {
        unspent: woc.Unspent[] | null;
        hex: string | null;
        policy: { satoshis: number; bytes: number } | null;
      };
    }),
  check: ({ unspent, hex, policy }) => {
    must(
      (unspent ?? []).every(({ address, satoshis }) => address === ADDRESS && typeof satoshis === 'bigint'),
      'coins of other addresses',
    );
    if (hex !== null) orRefusal(['invalid-transaction'], () => parseTransactionHex(hex));
    if (policy) must(policy.satoshis >= 0 && policy.satoshis <= policy.bytes, 'the fee is out of range');
  },
});
