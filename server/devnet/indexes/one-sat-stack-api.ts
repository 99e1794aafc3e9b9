/**
 * The routes of the second 1Sat ordinals index (1sat-stack, api.1sat.app/1sat) that the wallet uses. This index lists
 * only valid token outputs, and identifies outputs as `txid.vout`.
 */
import { readTokenId } from '../../../protocol/assets/bsv21/token.ts';
import { serve, type RouteFamily } from '../../routing/route.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { addressOf, endOneSatRoutes, OneSatError, ownerOf } from './one-sat-error.ts';
import type { OneSat, Ordinals } from './ordinals.ts';
import * as schemas from '../ledger/schemas.ts';

const STACK = '/devnet/1sat';
const PAGE = 100;
const MAX_PAGE = 1000;
const TXID = '7c'.repeat(32);
const OUTPUT = { outpoint: `${TXID}.0`, score: 1, satoshis: 1 } as const;

export function oneSatStackApi(ledger: Ledger, ordinals: Ordinals, onError: (error: unknown) => void): RouteFamily {
  const view = ({ txid, vout, origin }: OneSat, score: number) => {
    const height = ledger.transaction(txid)?.height ?? null;
    return {
      outpoint: `${txid}.${vout}`,
      score,
      satoshis: 1,
      ...(height !== null && { blockHeight: height }),
      data: { origin: { outpoint: origin } },
    };
  };
  const tokenAt = (text: unknown): OneSat & { token: NonNullable<OneSat['token']> } => {
    const at = readTokenId(String(text).replace('.', '_'));
    const output = at && ordinals.output(at.txid, at.vout);
    if (!output?.token?.isValid) throw new OneSatError(404, 'Not Found');
    return { ...output, token: output.token };
  };

  const shared = { tag: 'Devnet', by: 'anybody', method: 'get' } as const;
  const errors = { 400: schemas.ordinalsError, 404: schemas.ordinalsError } as const;
  const { routes, router } = serve(
    [
      {
        ...shared,
        id: 'listStackOutputs',
        path: `${STACK}/owner/{owner}/txos`,
        summary: '1Sat ordinals, other format: lists an address’s unspent outputs of one satoshi, oldest first',
        query: schemas.stackQuery,
        answers: { 200: schemas.stackOutputs, ...errors },
        example: { answer: [{ ...OUTPUT, data: { origin: { outpoint: `${TXID}_0` } } }] },
        handlers: [
          (request, response) => {
            const { limit = String(PAGE), from = '0' } = request.query;
            if (!/^[1-9]\d{0,3}$/.test(String(limit)) || Number(limit) > MAX_PAGE || !/^\d{1,8}$/.test(String(from)))
              throw new OneSatError(400, 'Bad Request');
            const all = ordinals.unspentOf(ownerOf(String(request.params.owner))).reverse();
            // As in 1sat-stack, a page starts with the last output of the previous page.
            const start = Math.max(Number(from) - 1, 0);
            response.json(all.slice(start, start + Number(limit)).map((one, i) => view(one, start + i + 1)));
          },
        ],
      },
      {
        ...shared,
        id: 'readStackTokenOutput',
        path: `${STACK}/bsv21/{id}/outputs/{outpoint}`,
        summary: '1Sat ordinals, other format: returns an output if it is a valid one of the token',
        answers: { 200: schemas.stackOutput, ...errors },
        example: { answer: OUTPUT },
        handlers: [
          (request, response) => {
            const output = tokenAt(request.params.outpoint);
            if (output.token.id !== request.params.id) throw new OneSatError(404, 'Not Found');
            response.json(view(output, 1));
          },
        ],
      },
      {
        ...shared,
        id: 'readStackToken',
        path: `${STACK}/bsv21/{id}`,
        summary: '1Sat ordinals, other form: a token, by its ID',
        answers: { 200: schemas.stackToken, ...errors },
        example: { answer: { token: { id: `${TXID}_0`, amt: '1000', sym: 'GOLD', dec: 2, owner: null } } },
        handlers: [
          (request, response) => {
            const { token, owner } = tokenAt(request.params.id);
            const { mint } = token;
            if (!mint) throw new OneSatError(404, 'Not Found');
            const { sym, dec, icon } = mint;
            response.json({
              token: {
                id: token.id,
                amt: String(token.amt),
                dec,
                ...(sym !== undefined && { sym }),
                ...(icon !== undefined && { icon }),
                owner: addressOf(owner),
              },
            });
          },
        ],
      },
    ],
    STACK,
  );
  endOneSatRoutes(router, onError);
  return { routes, router };
}
