/** The address routes of WhatsOnChain's API. */
import { p2pkhScript, readAddress } from '../../../protocol/bitcoin/address.ts';
import type { Route } from '../../routing/route.ts';
import type { Ledger } from '../ledger/ledger.ts';
import * as schemas from '../ledger/schemas.ts';
import { route, WocError } from './woc-route.ts';
import { coinViews, type CoinView, scriptHash } from './woc-views.ts';

const MAX_ADDRESSES_PER_REQUEST = 20;
/** Maximum history entries per address in a bulk response. */
const MAX_HISTORY_ENTRIES = 1000;

const ADDRESS = 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8';
const NO_COINS = { address: ADDRESS, script: 'c4'.repeat(32), result: [], error: '' };

/** Returns the public key hash (hex) and script hash of a test network address. */
function addressHash(text: unknown): { hash: string; script: string } {
  const address = typeof text === 'string' ? readAddress(text) : null;
  if (!address || address.mainnet) throw new WocError(400, 'Invalid address');
  return { hash: Buffer.from(address.hash).toString('hex'), script: scriptHash(p2pkhScript(address.hash)) };
}

function unspent(
  ledger: Ledger,
  address: unknown,
): { address: string; script: string; result: CoinView[]; error: string } {
  const { hash, script } = addressHash(address);
  return { address: String(address), script, result: coinViews(ledger, hash), error: '' };
}

function addressesOf(body: unknown): unknown[] {
  const addresses = (body as { addresses?: unknown } | undefined)?.addresses;
  if (!Array.isArray(addresses) || addresses.length === 0) throw new WocError(400, 'addresses is not a list');
  if (addresses.length > MAX_ADDRESSES_PER_REQUEST)
    throw new WocError(400, `Max ${MAX_ADDRESSES_PER_REQUEST} addresses per request`);
  return addresses;
}

function pageOf({ token = '0', limit = '10000' }: { token?: unknown; limit?: unknown }): {
  from: number;
  limit: number;
} {
  if (!/^[0-9a-f]{1,8}$/.test(String(token)) || !/^[1-9]\d{0,4}$/.test(String(limit)) || Number(limit) > 10_000)
    throw new WocError(400, 'Bad Request');
  return { from: Number.parseInt(String(token), 16), limit: Number(limit) };
}

const tokenOf = (from: number) => from.toString(16).padStart(8, '0');

/** Lists the routes for coins and transactions of addresses. */
export function addressRoutes(ledger: Ledger): Route[] {
  // Separate lists of confirmed and unconfirmed coins, without a status. Bulk responses contain only each address's
  // first coins.
  const lists = (
    [
      ['confirmed', 20],
      ['unconfirmed', 100],
    ] as const
  ).flatMap(([status, most]) => {
    const page = (address: unknown, from: number, limit: number) => {
      const { result, ...one } = unspent(ledger, address);
      const coins = result.filter((coin) => coin.status === status).map(({ status: _, ...coin }) => coin);
      const goesOn = status === 'confirmed' && coins.length > from + limit;
      return {
        ...one,
        result: coins.slice(from, from + limit),
        ...(goesOn && { nextPageToken: tokenOf(from + limit) }),
      };
    };
    const name = status === 'confirmed' ? 'Confirmed' : 'Unconfirmed';
    return [
      route(
        {
          id: `list${name}CoinsOfMany`,
          summary: `${status} coins of several addresses, the first ${most} of each`,
          body: schemas.addresses,
          answer: schemas.coinsOfMany,
          example: { body: { addresses: [ADDRESS] }, answer: [NO_COINS] },
        },
        ['post', `/addresses/${status}/unspent`],
        (request, response) => void response.json(addressesOf(request.body).map((address) => page(address, 0, most))),
      ),
      route(
        {
          id: `list${name}Coins`,
          summary: `${status} coins of an address`,
          query: schemas.pageQuery,
          answer: schemas.coins,
          example: { query: { limit: '1000' }, answer: NO_COINS },
        },
        ['get', `/address/{address}/${status}/unspent`],
        (request, response) => {
          const { from, limit } = pageOf(request.query);
          response.json(page(request.params.address, from, status === 'confirmed' ? limit : 100_000));
        },
      ),
    ];
  });

  const historyPage = (address: unknown, status: 'confirmed' | 'unconfirmed', from: number, limit: number) => {
    const { hash, script } = addressHash(address);
    const all = [...ledger.historyOf(hash)].toReversed().flatMap((txid) => {
      const height = ledger.transaction(txid)?.height ?? null;
      if ((height !== null) !== (status === 'confirmed')) return [];
      return { tx_hash: txid, ...(height !== null && { height }) };
    });
    const goesOn = all.length > from + limit;
    return {
      script,
      page: {
        result: all.slice(from, from + limit),
        error: '',
        ...(goesOn && { nextPageToken: tokenOf(from + limit) }),
      },
    };
  };
  const history = [
    ...(['confirmed', 'unconfirmed'] as const).map((status) =>
      route(
        {
          id: `list${status === 'confirmed' ? 'Confirmed' : 'Unconfirmed'}History`,
          summary: `${status} transactions that pay an address or spend from it, newest first`,
          query: schemas.pageQuery,
          answer: schemas.history,
          example: { query: { limit: '1000' }, answer: NO_COINS },
        },
        ['get', `/address/{address}/${status}/history`],
        (request, response) => {
          const { from, limit } = pageOf(request.query);
          const { script, page } = historyPage(request.params.address, status, from, limit);
          response.json({ address: request.params.address, script, ...page });
        },
      ),
    ),
    route(
      {
        id: 'listHistoryOfMany',
        summary: `transactions of several addresses, the first ${MAX_HISTORY_ENTRIES} of each`,
        body: schemas.addresses,
        answer: schemas.historyOfMany,
        example: {
          body: { addresses: [ADDRESS] },
          answer: [
            {
              address: ADDRESS,
              script: 'c4'.repeat(32),
              unconfirmed: { result: [], error: '' },
              confirmed: { result: [], error: '' },
            },
          ],
        },
      },
      ['post', '/addresses/history/all'],
      (request, response) =>
        void response.json(
          addressesOf(request.body).map((address) => {
            const { script, page: unconfirmed } = historyPage(address, 'unconfirmed', 0, MAX_HISTORY_ENTRIES);
            return {
              address,
              script,
              unconfirmed,
              confirmed: historyPage(address, 'confirmed', 0, MAX_HISTORY_ENTRIES).page,
            };
          }),
        ),
    ),
  ];

  return [
    route(
      {
        id: 'listCoins',
        summary: 'all coins of an address',
        answer: schemas.coins,
        example: { answer: NO_COINS },
      },
      ['get', '/address/{address}/unspent/all'],
      (request, response) => void response.json(unspent(ledger, request.params.address)),
    ),
    route(
      {
        id: 'listCoinsOfMany',
        summary: 'all coins of several addresses',
        body: schemas.addresses,
        answer: schemas.coinsOfMany,
        example: { body: { addresses: [ADDRESS] }, answer: [{ ...NO_COINS, unspent: [] }] },
      },
      ['post', '/addresses/unspent/all'],
      // Older API versions named the list `unspent`, so the response has both names.
      (request, response) =>
        void response.json(
          addressesOf(request.body).map((address) => {
            const one = unspent(ledger, address);
            return { ...one, unspent: one.result };
          }),
        ),
    ),
    ...lists,
    ...history,
    route(
      {
        id: 'isAddressUsed',
        summary: 'whether an address has ever been paid',
        answer: schemas.used,
        example: { answer: false },
      },
      ['get', '/address/{address}/used'],
      (request, response) => void response.json(ledger.isUsed(addressHash(request.params.address).hash)),
    ),
  ];
}
