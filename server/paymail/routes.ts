/** The paymail host (bsvalias): discovery document, and the capabilities that it names. */
import { domainToASCII } from 'node:url';
import { Router, type Request } from 'express';
import type { Network } from '../../protocol/address.ts';
import { ServiceError } from '../../protocol/errors.ts';
import * as paymail from '../../protocol/paymail.ts';
import type { ArcClient } from '../chain/arc-client.ts';
import type { Addresses, Config } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { jsonBody, readBody } from '../http/body.ts';
import { noStore, readableByAll } from '../http/headers.ts';
import { findByHandle, type User } from '../identity/accounts.ts';
import { giveAddresses } from '../destinations/addresses.ts';
import { createDestination } from '../destinations/destinations.ts';
import { checkSender } from './payment-destination.ts';
import { receive, type HandedIn } from './receive.ts';
import { createRefusedDeliveries } from './refused-deliveries.ts';
import { createSenderCheck } from './senders.ts';

/** What these routes work with. */
export interface PaymailContext {
  db: Database;
  network: Network;
  addresses: Addresses;
  arc: ArcClient;
  settings: Pick<Config, 'rateLimitFactor'>;
  now: () => Date;
}

/** For how long a discovery document may be kept, in seconds. */
const DISCOVERY_SECONDS = 600;
/** For how long browsers keep what a preflight said, in seconds. */
const PREFLIGHT_SECONDS = 86_400;

/** Paths of the capabilities, below the service's base URL. */
const PATHS = {
  pki: '/bsvalias/id/{alias}@{domain.tld}',
  paymentDestination: '/bsvalias/address/{alias}@{domain.tld}',
  verifyPublicKey: '/bsvalias/verify/{alias}@{domain.tld}/{pubkey}',
  publicProfile: '/bsvalias/public-profile/{alias}@{domain.tld}',
  p2pDestination: '/bsvalias/p2p-payment-destination/{alias}@{domain.tld}',
  receiveTransaction: '/bsvalias/receive-transaction/{alias}@{domain.tld}',
  receiveBeef: '/bsvalias/receive-beef/{alias}@{domain.tld}',
} as const;

/** A path as Express has it. */
const routeOf = (path: string) => path.replace('{alias}@{domain.tld}', ':paymail').replace('{pubkey}', ':pubkey');

/**
 * Readable by scripts of any site. A paymail that is not one of this service's: 404 `unknown-recipient`; a malformed
 * body: 400 `invalid-request`.
 * - GET /.well-known/bsvalias
 * - pki, public profile: 200
 * - verify public key owner: 200, always
 * - payment destination: 200; 401 `invalid-signature` where the sender did not sign, or at another time, or with
 * another's key
 * - P2P destination: 200
 * - P2P receive, raw and BEEF: 200, and the same for the same again; 400 `invalid-signature`; 404 `unknown-reference`;
 * 409 `payment-conflict`;
 *   413 `too-large`; 422 `invalid-transaction`, `payment-mismatch`, `not-accepted`; 503 `network-unavailable`, and `service-unavailable`
 *   while too many bytes are under way; 408 `request-timeout`.
 */
export function paymailRoutes({ db, network, addresses, arc, settings, now }: PaymailContext): Router {
  const { baseUrl, paymailDomain } = addresses;
  const isSender = createSenderCheck({ db, network, addresses });
  const refusals = createRefusedDeliveries({ now, factor: settings.rateLimitFactor });
  const router = Router();

  router.use(['/bsvalias', paymail.DISCOVERY_PATH], readableByAll, (request, response, next) => {
    if (request.method !== 'OPTIONS') return next();
    response.set({
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers': 'Content-Type',
      'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
    });
    response.status(204).end();
  });

  const document = {
    bsvalias: '1.0',
    capabilities: {
      ...Object.fromEntries(
        Object.entries(PATHS).map(([name, path]) => [paymail.CAPABILITIES[name as keyof typeof PATHS], baseUrl + path]),
      ),
      [paymail.CAPABILITIES.senderValidation]: true,
    },
  };
  router.get(paymail.DISCOVERY_PATH, (_request, response) => {
    response.set('Cache-Control', `public, max-age=${DISCOVERY_SECONDS}`).json(document);
  });

  router.get(routeOf(PATHS.pki), noStore, async (request, response) => {
    const user = await recipientOf(request);
    response.json({ bsvalias: '1.0', handle: paymailOf(user), pubkey: user.publicKey });
  });

  router.get(routeOf(PATHS.publicProfile), noStore, async (request, response) => {
    const { name, handle, avatarUrl } = await recipientOf(request);
    // Some clients take no profile without a picture.
    response.json({ name: name || handle, avatar: avatarUrl ?? `${baseUrl}/assets/avatar.svg` });
  });

  router.get(routeOf(PATHS.verifyPublicKey), noStore, async (request, response) => {
    const user = await findRecipient(request);
    const pubkey = String(request.params.pubkey);
    response.json({
      bsvalias: '1.0',
      handle: String(request.params.paymail),
      pubkey,
      match: user?.publicKey === pubkey.toLowerCase(),
    });
  });

  router.post(routeOf(PATHS.paymentDestination), noStore, jsonBody('100kb'), async (request, response) => {
    const user = await recipientOf(request);
    await checkSender(readBody(paymail.paymentDestinationRequest, request.body), isSender, now());
    const [address] = await giveAddresses(db, user.id, 1);
    response.json({ output: address?.script });
  });

  router.post(routeOf(PATHS.p2pDestination), noStore, jsonBody('100kb'), async (request, response) => {
    const user = await recipientOf(request);
    const { satoshis } = readBody(paymail.p2pDestinationRequest, request.body);
    const { outputs, reference } = await createDestination(db, user.id, BigInt(satoshis), now());
    response.json({
      outputs: outputs.map((output) => ({ script: output.script, satoshis: Number(output.satoshis) })),
      reference,
    });
  });

  const take = (path: string, read: (body: unknown) => HandedIn) => {
    router.post(
      routeOf(path),
      noStore,
      async (request, response, next) => {
        // Before the body is read: it is sent to somebody.
        response.locals.recipient = await recipientOf(request);
        next();
      },
      jsonBody('25mb'),
      async (request, response) => {
        const user = response.locals.recipient as User;
        const handedIn = read(request.body);
        // What else was in it goes at once: 25 MB of text can be half a gigabyte of empty objects, and networks and
        // hosts take seconds.
        request.body = undefined;
        const attempt = (delivery: string) => refusals.attempt(delivery, user.id, request, response);
        const txid = await receive({ db, arc, now, isSender, attempt }, user, paymailOf(user), handedIn);
        response.json({ txid, note: '' });
      },
    );
  };
  take(PATHS.receiveTransaction, (body) => ({ form: 'raw', ...readBody(paymail.receiveTransactionRequest, body) }));
  take(PATHS.receiveBeef, (body) => {
    const { beef, ...rest } = readBody(paymail.receiveBeefRequest, body);
    return { form: 'beef', hex: beef, ...rest };
  });

  router.use('/bsvalias', () => {
    throw new ServiceError('not-found');
  });

  const paymailOf = ({ handle }: User): string => paymail.writePaymail({ alias: handle, domain: paymailDomain });

  async function findRecipient({ params }: Request): Promise<User | null> {
    const read = paymail.readPaymail(String(params.paymail));
    // A domain with letters beyond ASCII is written in either of its forms.
    const isOurs = read && [read.domain, domainToASCII(read.domain)].includes(paymailDomain);
    return isOurs ? findByHandle(db, read.alias) : null;
  }

  /** @throws ServiceError `unknown-recipient` */
  async function recipientOf(request: Request): Promise<User> {
    const user = await findRecipient(request);
    if (!user) throw new ServiceError('unknown-recipient');
    return user;
  }

  return router;
}
