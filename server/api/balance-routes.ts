/** Balances: published by wallets while some application may read them. */
import { Router } from 'express';
import { balancePublication, type balanceWantedResponse } from '../../protocol/api-v2.ts';
import { balanceMessage } from '../../protocol/balance-message.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { MAX_SATOSHIS } from '../../protocol/money.ts';
import type * as z from 'zod/mini';
import type { Addresses } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { jsonBody, readBody } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import { isSignedBy } from '../identity/signed-message.ts';
import { requireWallet } from '../identity/tokens.ts';
import { isBalanceWanted, storeBalance } from '../balances/store.ts';

/** What these routes work with. */
export interface BalancesContext {
  db: Database;
  addresses: Addresses;
  now: () => Date;
}

/** A wallet's clock may be off by so much, in milliseconds. */
const CLOCK_MS = 10 * 60_000;

/**
 * Both take a wallet's bearer token (401 `unauthenticated`), and tell whether some application may read the balance.
 * - GET /api/v2/me/balance-wanted: 200.
 * - PUT /api/v2/me/balance: 200. It is kept only while it is wanted, and while nothing later is. 400 `invalid-request`
 *   (also a time that is not about now), 401 `invalid-signature`.
 */
export function balanceRoutes({ db, addresses, now }: BalancesContext): Router {
  const router = Router();

  router.get('/api/v2/me/balance-wanted', noStore, async (request, response) => {
    const user = await requireWallet(db, request, now());
    const body: z.infer<typeof balanceWantedResponse> = { wanted: await isBalanceWanted(db, user.id) };
    response.json(body);
  });

  router.put('/api/v2/me/balance', noStore, jsonBody('100kb'), async (request, response) => {
    const user = await requireWallet(db, request, now());
    const { satoshis, time, signature } = readBody(balancePublication, request.body);
    const publishedAt = new Date(time);
    // What Date turns into another text is no date, or not written as it was signed.
    if (Number.isNaN(publishedAt.getTime()) || publishedAt.toISOString() !== time || BigInt(satoshis) > MAX_SATOSHIS)
      throw new ServiceError('invalid-request');
    if (Math.abs(publishedAt.getTime() - now().getTime()) > CLOCK_MS)
      throw new ServiceError('invalid-request', { message: 'The time is not about now.' });
    const message = balanceMessage({ origin: addresses.baseUrl, userId: String(user.id), satoshis, time });
    if (!isSignedBy(user.publicKey, message, signature)) throw new ServiceError('invalid-signature');
    const wanted = await isBalanceWanted(db, user.id);
    if (wanted) await storeBalance(db, { userId: user.id, satoshis: BigInt(satoshis), signature, publishedAt });
    const body: z.infer<typeof balanceWantedResponse> = { wanted };
    response.json(body);
  });

  return router;
}
