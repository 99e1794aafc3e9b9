/** Routes through which senders deliver transactions to the paymail host. */
import type { Request, RequestHandler } from 'express';
import * as paymail from '../../protocol/http/paymail.ts';
import type { Config } from '../config.ts';
import { jsonBody, readBody } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import type { User } from '../identity/accounts.ts';
import type { Route } from '../routing/route.ts';
import { DELIVERY, OF_DELIVERY, pathOf, PATHS, shared } from './declarations.ts';
import { receive, type Delivery, type ReceiveContext } from './receive.ts';
import { createRefusedDeliveries } from './refused-deliveries.ts';

interface DeliveryContext extends Omit<ReceiveContext, 'attempt'> {
  settings: Pick<Config, 'rateLimitFactor'>;
}

interface Recipients {
  /** @throws ServiceError `unknown-recipient` */
  recipientOf(request: Request): Promise<User>;
  paymailOf(user: User): string;
}

export function deliveryRoutes(
  { db, arc, now, isSender, settings }: DeliveryContext,
  { recipientOf, paymailOf }: Recipients,
): Route[] {
  const refusals = createRefusedDeliveries({ now, factor: settings.rateLimitFactor });

  const take = (read: (body: unknown) => Delivery): RequestHandler[] => [
    noStore,
    async (request, response, next) => {
      // Checked before the body is read.
      response.locals.recipient = await recipientOf(request);
      next();
    },
    jsonBody('25mb'),
    async (request, response) => {
      const user = response.locals.recipient as User;
      const delivery = read(request.body);
      // Freed before broadcasting, because that takes seconds, and 25 MB of text can become half a gigabyte of objects.
      request.body = undefined;
      const attempt = () => refusals.attempt(user.id, request, response);
      const txid = await receive({ db, arc, now, isSender, attempt }, user, paymailOf(user), delivery);
      response.json({ txid, note: '' });
    },
  ];

  const rawDelivery = {
    ...shared,
    method: 'post',
    body: paymail.receiveTransactionRequest,
    answers: { 200: paymail.receiveResponse },
    errors: OF_DELIVERY,
    example: { body: { hex: '0100000001', ...DELIVERY }, answer: { txid: '7c'.repeat(32), note: '' } },
    handlers: take((body) => ({ form: 'raw', ...readBody(paymail.receiveTransactionRequest, body) })),
  } as const;

  return [
    {
      ...rawDelivery,
      id: 'deliverTransaction',
      path: pathOf(PATHS.receiveTransaction),
      summary: 'Delivers a transaction that pays a destination. Idempotent',
    },
    {
      ...rawDelivery,
      id: 'deliverOrdinal',
      path: pathOf(PATHS.receiveOrdinal),
      summary: 'Delivers a transaction with ordinals or tokens in the destination’s outputs',
    },
    {
      ...shared,
      id: 'deliverBeef',
      method: 'post',
      path: pathOf(PATHS.receiveBeef),
      summary: 'Delivers a transaction as BEEF (BRC-62), with its unconfirmed ancestors and their proofs',
      body: paymail.receiveBeefRequest,
      answers: { 200: paymail.receiveResponse },
      errors: OF_DELIVERY,
      example: { body: { beef: '0100beef', ...DELIVERY }, answer: { txid: '7c'.repeat(32), note: '' } },
      handlers: take((body) => {
        const { beef, ...rest } = readBody(paymail.receiveBeefRequest, body);
        return { form: 'beef', hex: beef, ...rest };
      }),
    },
  ];
}
