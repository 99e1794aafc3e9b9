/** The application data log: encrypted blocks that an account's wallets append, read and replace. */
import * as api from '../../../protocol/http/app-log.ts';
import { appendBlock, listBlocks, removeBlocks } from './app-log-store.ts';
import { serve, type RouteFamily } from '../../routing/route.ts';
import { routeMaker, type ApiContext } from '../route.ts';

const shared = { tag: 'Wallets', by: 'wallet' } as const;
const BLOCK = { writer: '9f3c5e7a1b2d4c60', sequence: 12, block: `${'q'.repeat(1366)}==` };

export function appLogRoutes(context: ApiContext): RouteFamily {
  const { db, now } = context;
  const route = routeMaker(context);
  return serve([
    route(
      {
        ...shared,
        id: 'appendAppLogBlock',
        method: 'post',
        path: '/api/v2/me/app-log/blocks',
        summary: 'Appends an encrypted block to the log of applications’ data. Idempotent',
        body: api.appendBlock,
        answers: { 200: api.appendedBlock },
        errors: ['invalid-request', 'app-log-conflict', 'app-log-full'],
        example: { body: { ...BLOCK, replaces: false }, answer: { position: 4711 } },
      },
      async ({ user, body: { block, ...rest } }) => ({
        position: await appendBlock(db, user.id, { ...rest, block: Buffer.from(block, 'base64') }, now()),
      }),
    ),
    route(
      {
        ...shared,
        id: 'listAppLogBlocks',
        method: 'get',
        path: '/api/v2/me/app-log/blocks',
        summary: 'Returns the blocks after a position, in order, up to about 1.4 MB. Continue after the last position',
        query: api.blocksQuery,
        answers: { 200: api.blocksResponse },
        errors: ['invalid-request'],
        example: { query: { after: '4710' }, answer: { blocks: [{ position: 4711, ...BLOCK }], more: false } },
      },
      ({ user, query }) => listBlocks(db, user.id, Number(query.after ?? 0)),
    ),
    route(
      {
        ...shared,
        id: 'removeAppLogBlocks',
        method: 'post',
        path: '/api/v2/me/app-log/removal',
        summary: 'Removes all blocks up to a position in one transaction, after newer ones have replaced them',
        body: api.blocksRemoval,
        answers: { 200: api.appLogSize },
        errors: ['invalid-request'],
        example: { body: { through: 4710 }, answer: { blocks: 1, bytes: 1024 } },
      },
      ({ user, body }) => removeBlocks(db, user.id, body.through),
    ),
  ]);
}
