/** The paymail host (bsvalias): the discovery document and the capabilities it lists. */
import type { Request } from 'express';
import type { Network } from '../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import * as paymail from '../../protocol/http/paymail.ts';
import { isSameDomain } from '../../protocol/text/paymail-domain.ts';
import type { ArcClient } from '../chain/arc-client.ts';
import type { PaidScripts } from '../chain/paid-scripts.ts';
import type { Addresses, Config } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { jsonBody, readBody } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { serve, type RouteFamily } from '../routing/route.ts';
import { findByHandle, type User } from '../identity/accounts.ts';
import { avatarUrlOf } from '../identity/picture.ts';
import { createBasicDestination, createDestination, createOrdinalDestination } from '../destinations/destinations.ts';
import { KEY, OF_RECIPIENT, pathOf, PATHS, SCRIPT, shared } from './declarations.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { destinationCounter } from './destination-limits.ts';
import { checkSender } from './payment-destination.ts';
import { createSenderCheck } from './senders.ts';

export interface PaymailContext {
  db: Database;
  limits: RateLimits;
  network: Network;
  addresses: Addresses;
  arc: ArcClient;
  paidScripts: PaidScripts;
  settings: Pick<Config, 'rateLimitFactor'>;
  now: () => Date;
}

/** Cache lifetime of the discovery document, in seconds. */
const DISCOVERY_SECONDS = 600;

/**
 * The paymail host's routes, readable by scripts on any site. Requests for another service's paymail get 404
 * `unknown-recipient`. A wrong signature gets 401 if it authenticates the caller, and 400 in a delivery.
 */
export function paymailRoutes({
  db,
  limits,
  network,
  addresses,
  arc,
  paidScripts,
  settings,
  now,
}: PaymailContext): RouteFamily {
  const { baseUrl, paymailDomain } = addresses;
  const isSender = createSenderCheck({ db, network, addresses });
  const countDestination = destinationCounter(limits);

  const document = (origin: string) => ({
    bsvalias: '1.0',
    capabilities: {
      ...Object.fromEntries(
        Object.entries(PATHS).map(([name, path]) => [paymail.CAPABILITIES[name as keyof typeof PATHS], origin + path]),
      ),
      [paymail.CAPABILITIES.senderValidation]: true,
    },
  });
  const discovery = document(baseUrl);
  const paymailOf = ({ handle }: User): string => paymail.writePaymail({ alias: handle, domain: paymailDomain });

  const { routes, router } = serve([
    {
      ...shared,
      id: 'discoverPaymail',
      method: 'get',
      path: paymail.DISCOVERY_PATH,
      summary: 'Returns the capabilities of this paymail host',
      answers: { 200: paymail.discoveryDocument },
      example: { answer: document('https://pay.example') },
      handlers: [
        (_request, response) =>
          void response.set('Cache-Control', `public, max-age=${DISCOVERY_SECONDS}`).json(discovery),
      ],
    },
    {
      ...shared,
      id: 'readPaymailKey',
      method: 'get',
      path: pathOf(PATHS.pki),
      summary: 'Returns the identity key of a paymail',
      answers: { 200: paymail.pkiResponse },
      errors: ['unknown-recipient'],
      example: { answer: { bsvalias: '1.0', handle: 'alice@pay.example', pubkey: KEY } },
      handlers: [
        noStore,
        async (request, response) => {
          const user = await recipientOf(request);
          response.json({ bsvalias: '1.0', handle: paymailOf(user), pubkey: user.publicKey });
        },
      ],
    },
    {
      ...shared,
      id: 'readPaymailProfile',
      method: 'get',
      path: pathOf(PATHS.publicProfile),
      summary: 'Returns the name and picture of a paymail’s user',
      answers: { 200: paymail.publicProfileResponse },
      errors: ['unknown-recipient'],
      example: { answer: { name: 'Alice', avatar: 'https://pay.example/assets/avatar.svg' } },
      handlers: [
        noStore,
        async (request, response) => {
          const user = await recipientOf(request);
          // The avatar always has a URL, because some clients reject a profile without an avatar.
          response.json({
            name: user.name || user.handle,
            avatar: avatarUrlOf(user, baseUrl) ?? `${baseUrl}/assets/avatar.svg`,
          });
        },
      ],
    },
    {
      ...shared,
      id: 'verifyPaymailKey',
      method: 'get',
      path: pathOf(PATHS.verifyPublicKey),
      summary: 'Returns whether a key belongs to a paymail. 200 even for unknown paymails',
      answers: { 200: paymail.verifyPublicKeyResponse },
      example: { answer: { bsvalias: '1.0', handle: 'alice@pay.example', pubkey: KEY, match: true } },
      handlers: [
        noStore,
        async (request, response) => {
          const handle = paymail.verifyPublicKeyResponse.shape.handle.safeParse(request.params.paymail);
          if (!handle.success) throw new ServiceError('invalid-request');
          const user = await findRecipient(request);
          const pubkey = String(request.params.pubkey);
          response.json({
            bsvalias: '1.0',
            handle: handle.data,
            pubkey,
            match: user?.publicKey === pubkey.toLowerCase(),
          });
        },
      ],
    },
    {
      ...shared,
      id: 'createPaymentDestination',
      method: 'post',
      path: pathOf(PATHS.paymentDestination),
      summary: 'Issues a locking script to pay a paymail. 401 unless the sender has just signed the request',
      body: paymail.paymentDestinationRequest,
      answers: { 200: paymail.paymentDestinationResponse },
      errors: [...OF_RECIPIENT, 'invalid-signature'],
      example: {
        body: {
          senderHandle: 'bob@other.example',
          dt: '2026-03-01T12:00:00.000Z',
          amount: 5_000_000,
          signature: `${'H'.repeat(87)}=`,
          pubkey: KEY,
        },
        answer: { output: SCRIPT },
      },
      handlers: [
        noStore,
        jsonBody('100kb'),
        async (request, response) => {
          const user = await recipientOf(request);
          const asked = readBody(paymail.paymentDestinationRequest, request.body);
          // Counted before the check, which can contact any host that the request names.
          await countDestination(request, response, user);
          await checkSender(asked, isSender, now());
          const output = await createBasicDestination(db, user.id, BigInt(asked.amount ?? 0), now(), paidScripts);
          response.json({ output });
        },
      ],
    },
    {
      ...shared,
      id: 'createP2pDestination',
      method: 'post',
      path: pathOf(PATHS.p2pDestination),
      summary: 'Issues outputs to pay a paymail, and the reference for delivering the transaction',
      body: paymail.p2pDestinationRequest,
      answers: { 200: paymail.p2pDestinationResponse },
      errors: OF_RECIPIENT,
      example: {
        body: { satoshis: 5_000_000 },
        answer: { outputs: [{ script: SCRIPT, satoshis: 5_000_000 }], reference: 'mJ9cVq2yV1s0b8J3n4kP5w' },
      },
      handlers: [
        noStore,
        jsonBody('100kb'),
        async (request, response) => {
          const user = await recipientOf(request);
          const { satoshis } = readBody(paymail.p2pDestinationRequest, request.body);
          await countDestination(request, response, user);
          const { outputs, reference } = await createDestination(db, user.id, BigInt(satoshis), now(), paidScripts);
          response.json({
            outputs: outputs.map((output) => ({ script: output.script, satoshis: Number(output.satoshis) })),
            reference,
          });
        },
      ],
    },
    {
      ...shared,
      id: 'createOrdinalDestination',
      method: 'post',
      path: pathOf(PATHS.ordinalDestination),
      summary:
        'Issues scripts to send ordinals or tokens to a paymail, one satoshi each, and the reference for their delivery',
      body: paymail.ordinalDestinationRequest,
      answers: { 200: paymail.ordinalDestinationResponse },
      errors: OF_RECIPIENT,
      example: {
        body: { ordinals: 1 },
        answer: { outputs: [{ script: SCRIPT }], reference: 'mJ9cVq2yV1s0b8J3n4kP5w' },
      },
      handlers: [
        noStore,
        jsonBody('100kb'),
        async (request, response) => {
          const user = await recipientOf(request);
          const { ordinals } = readBody(paymail.ordinalDestinationRequest, request.body);
          await countDestination(request, response, user);
          const { outputs, reference } = await createOrdinalDestination(db, user.id, ordinals, now(), paidScripts);
          response.json({ outputs: outputs.map(({ script }) => ({ script })), reference });
        },
      ],
    },
    ...deliveryRoutes({ db, arc, now, isSender, settings }, { recipientOf, paymailOf }),
  ]);
  router.use('/bsvalias', () => {
    throw new ServiceError('not-found');
  });

  async function findRecipient({ params }: Request): Promise<User | null> {
    const read = paymail.readPaymail(String(params.paymail));
    return read && isSameDomain(read.domain, paymailDomain) ? findByHandle(db, read.alias) : null;
  }

  async function recipientOf(request: Request): Promise<User> {
    const user = await findRecipient(request);
    if (!user) throw new ServiceError('unknown-recipient');
    return user;
  }

  return { routes, router };
}
