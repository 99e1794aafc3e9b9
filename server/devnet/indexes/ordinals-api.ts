/** The routes of the public 1Sat ordinals index (1sat-server, ordinals.gorillapool.io) that the wallet uses. */
import type { RequestHandler } from 'express';
import { readTokenId } from '../../../protocol/assets/bsv21/token.ts';
import { serve, type Declaration, type Route, type RouteFamily } from '../../routing/route.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { addressOf, endOneSatRoutes, OneSatError, ownerOf } from './one-sat-error.ts';
import type { OneSat, Ordinals } from './ordinals.ts';
import * as schemas from '../ledger/schemas.ts';

const ORDINALS = '/devnet/ordinals';
/** The public index's default page size. */
const PAGE = 100;
const MAX_PAGE_SIZE = 1000;

const ADDRESS = 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8';
const TXID = '7c'.repeat(32);
const TOKEN = { id: `${TXID}_0`, op: 'deploy+mint', amt: '1000', status: 1, sym: 'GOLD', dec: 2 };

export function ordinalsApi(ledger: Ledger, ordinals: Ordinals, onError: (error: unknown) => void): RouteFamily {
  const outputAt = (text: unknown): OneSat => {
    const at = readTokenId(String(text));
    const output = at && ordinals.output(at.txid, at.vout);
    if (!output) throw new OneSatError(404, 'Not Found');
    return output;
  };
  const heightOf = ({ txid }: OneSat): number | null => ledger.transaction(txid)?.height ?? null;
  const route = (
    declaration: Pick<Declaration, 'id' | 'summary' | 'query' | 'example'> & { answer: Declaration['answers'][number] },
    path: string,
    handler: RequestHandler,
  ): Route => {
    const { answer, summary, ...rest } = declaration;
    return {
      ...rest,
      summary: `1Sat ordinals: ${summary}`,
      tag: 'Devnet',
      by: 'anybody',
      method: 'get',
      path: `${ORDINALS}${path}`,
      answers: { 200: answer, 400: schemas.ordinalsError, 404: schemas.ordinalsError },
      handlers: [handler],
    };
  };

  const { routes, router } = serve(
    [
      route(
        {
          id: 'listOneSatOutputs',
          summary: 'an address’s unspent outputs of one satoshi, either with tokens or without',
          query: schemas.ordinalsQuery,
          answer: schemas.oneSatOutputs,
          example: {
            answer: [
              {
                txid: TXID,
                vout: 0,
                outpoint: `${TXID}_0`,
                satoshis: 1,
                owner: ADDRESS,
                script: '',
                spend: '',
                height: null,
                origin: { outpoint: `${TXID}_0` },
                data: { insc: { file: { type: 'application/bsv-20' } }, bsv20: TOKEN },
              },
            ],
          },
        },
        '/api/txos/address/{address}/unspent',
        (request, response) => {
          const owner = ownerOf(String(request.params.address));
          const { from, limit } = pageOf(request.query);
          const wanted = request.query.bsv20 === 'true';
          const all = ordinals.unspentOf(owner).filter(({ token }) => (token !== null) === wanted);
          response.json(all.slice(from, from + limit).map((one) => outputView(one, heightOf(one))));
        },
      ),
      route(
        {
          id: 'readTokenOutput',
          summary: 'an output’s token, and whether it is valid',
          answer: schemas.tokenOutput,
          example: {
            answer: {
              ...TOKEN,
              txid: TXID,
              vout: 0,
              outpoint: `${TXID}_0`,
              owner: ADDRESS,
              height: null,
              reason: null,
            },
          },
        },
        '/api/bsv20/outpoint/{outpoint}',
        (request, response) => {
          const one = outputAt(request.params.outpoint);
          if (!one.token) throw new OneSatError(404, 'Not Found');
          response.json({
            ...tokenView(one.token),
            ...placeOf(one),
            height: heightOf(one),
            reason: one.token.isValid ? null : 'insufficient inputs',
          });
        },
      ),
      route(
        {
          id: 'readToken',
          summary: 'a token, by its ID',
          answer: schemas.token,
          example: {
            answer: { ...TOKEN, txid: TXID, vout: 0, outpoint: `${TXID}_0`, owner: ADDRESS, height: null },
          },
        },
        '/api/bsv20/id/{id}',
        (request, response) => {
          const one = outputAt(request.params.id);
          if (!one.token?.mint) throw new OneSatError(404, 'Not Found');
          response.json({ ...tokenView(one.token), ...placeOf(one), height: heightOf(one) });
        },
      ),
    ],
    ORDINALS,
  );

  endOneSatRoutes(router, onError);
  return { routes, router };
}

function pageOf({ limit = String(PAGE), offset = '0' }: { limit?: unknown; offset?: unknown }) {
  if (!/^[1-9]\d{0,3}$/.test(String(limit)) || Number(limit) > MAX_PAGE_SIZE || !/^\d{1,8}$/.test(String(offset)))
    throw new OneSatError(400, 'Bad Request');
  return { limit: Number(limit), from: Number(offset) };
}

function placeOf({ txid, vout, owner }: OneSat) {
  return { txid, vout, outpoint: `${txid}_${vout}`, owner: addressOf(owner) };
}

function tokenView({ id, op, amt, isValid, minted }: NonNullable<OneSat['token']>) {
  return {
    id,
    op,
    amt: String(amt),
    status: isValid ? 1 : -1,
    ...(minted && { dec: minted.dec }),
    ...(minted?.sym !== undefined && { sym: minted.sym }),
    ...(minted?.icon !== undefined && { icon: minted.icon }),
  };
}

function outputView(one: OneSat, height: number | null) {
  return {
    ...placeOf(one),
    satoshis: 1,
    script: Buffer.from(one.lockingScript).toString('base64'),
    spend: '',
    height,
    origin: { outpoint: one.origin },
    data: {
      ...(one.contentType !== null && { insc: { file: { type: one.contentType } } }),
      ...(one.token && { bsv20: tokenView(one.token) }),
    },
  };
}
