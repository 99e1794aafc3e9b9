/** Routes of both generations of the API: who calls, what they ask and what they get, checked in one place. */
import type { Request, RequestHandler, Response } from 'express';
import type * as z from 'zod/mini';
import { ServiceError } from '../../protocol/errors.ts';
import type { Addresses } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { isStorable, jsonBody, readBody } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import { answerOnce } from '../http/idempotency.ts';
import { sendDocument } from '../http/json-api.ts';
import { namesOf } from '../http/problems.ts';
import { sendJson } from '../http/send-json.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import type { User } from '../identity/accounts.ts';
import { requireOwner } from '../identity/owner.ts';
import { APPLICATION_SCOPES, USER_SCOPES, type ApplicationScope, type UserScope } from '../identity/scopes.ts';
import { requireBearer, type Access, type Demand } from '../identity/tokens.ts';
import type { CurrencySource } from '../rates/currencies.ts';
import type { RateSource } from '../rates/rates.ts';
import { usualStatus, type Caller, type Declaration, type Route } from '../routing/route.ts';

/** What the API works with. */
export interface ApiContext {
  db: Database;
  addresses: Addresses;
  now: () => Date;
  rates: RateSource;
  currencies: CurrencySource;
  limits: RateLimits;
}

/**
 * A request that was let in, and fits what its route declares. Query and body are checked where they are read: some
 * routes say in sentences of their own what is wrong with them.
 *
 * A class and not a literal with getters: V8 makes a hidden class of its own for each of those, in the old generation,
 * where it keeps alive what the getters close over, the whole request, until the next full collection.
 */
export class Call<Q, B> {
  readonly request: Request;
  readonly response: Response;
  /** The database; the transaction that holds the key, where the route takes `Idempotency-Key`. */
  readonly db: Database;
  /** The bearer of a token. */
  readonly access: Access;
  readonly #user: User | null;
  readonly #declaration: Pick<Declaration<Q, B>, 'query' | 'body'>;

  constructor(
    request: Request,
    response: Response,
    db: Database,
    { access, user }: Admitted,
    declaration: Pick<Declaration<Q, B>, 'query' | 'body'>,
  ) {
    this.request = request;
    this.response = response;
    this.db = db;
    this.access = access as Access;
    this.#user = user;
    this.#declaration = declaration;
  }

  get params(): Readonly<Record<string, string>> {
    return this.request.params as Record<string, string>;
  }

  /** @throws ServiceError `invalid-request` */
  get query(): Q {
    return readQuery(this.#declaration.query as z.ZodMiniType<Q>, this.request);
  }

  /** @throws ServiceError as {@link readBody} */
  get body(): B {
    return readBody(this.#declaration.body as z.ZodMiniType<B>, this.request.body);
  }

  /** The user who calls, or whom the token stands for. @throws ServiceError `not-found` where there is none */
  get user(): User {
    if (!this.#user) throw new ServiceError('not-found');
    return this.#user;
  }
}

/** Whom a route let in: the bearer of a token, and the user who calls; null where there is none. */
interface Admitted {
  access: Access | null;
  user: User | null;
}

type Handle<Q, B, A> = (call: Call<Q, B>) => Promise<A | void> | A;

/** Requests with a token: of one application for one user, or in its own name; of one wallet. */
const BY_CLIENT = { name: 'client', perMinute: 1_200, burst: 1_200 };

/** Makes a route of its declaration and of what it does; the answer that this gives is sent with the first status. */
export type RouteMaker = <Q, B, A>(declaration: Declaration<Q, B, A>, handle: Handle<Q, B, A>) => Route;

/** A {@link RouteMaker} for this service. Bodies are JSON of at most 100 kB. */
export function routeMaker(context: Pick<ApiContext, 'db' | 'addresses' | 'now' | 'limits'>): RouteMaker {
  const { db, now } = context;
  return <Q, B, A>(declaration: Declaration<Q, B, A>, handle: Handle<Q, B, A>) => {
    const { by, body, once } = declaration;
    const status = usualStatus(declaration);
    const answer: RequestHandler = async (request, response) => {
      const admitted = await letIn(context, by, request, response);
      const callOn = (handle: Database) => new Call<Q, B>(request, response, handle, admitted, declaration);
      if (once)
        await answerOnce({
          db,
          now,
          request,
          response,
          // Applications of one user know nothing of each other's keys, nor of what those were answered.
          subject: `user:${callOn(db).user.id}${admitted.access?.application ? ` application:${admitted.access.application.id}` : ''}`,
          sendBody: (to, sent) => sendBody(to, declaration.path, sent),
          write: async (tx) => ({ status, body: await handle(callOn(tx)) }),
        });
      else send(response, declaration, status, await handle(callOn(db)));
    };
    const handlers = [noStore, ...(body ? [jsonBody('100kb')] : []), answer];
    return { ...declaration, handlers };
  };
}

function send(
  response: Response,
  { path, answers }: Pick<Declaration, 'path' | 'answers'>,
  status: number,
  body: unknown,
): void {
  // Streams are sent by the handler itself.
  if (typeof answers[status] === 'string') return;
  response.status(status);
  if (body === undefined) response.end();
  else sendBody(response, path, body as object);
}

/** In the form of the path's generation. */
function sendBody(response: Response, path: string, body: object): void {
  if (path.startsWith('/api/v1/')) sendDocument(response, body);
  else sendJson(response, body);
}

/**
 * Who sends a request, if the route is for them.
 * @throws ServiceError as {@link requireBearer} and {@link requireOwner}; `too-many-requests`
 */
async function letIn(
  { db, addresses, now, limits }: Pick<ApiContext, 'db' | 'addresses' | 'now' | 'limits'>,
  by: Caller,
  request: Request,
  response: Response,
): Promise<Admitted> {
  if (by === 'anybody') return { access: null, user: null };
  if (by === 'owner') return { access: null, user: await requireOwner({ db, addresses, now }, request) };
  const access = await requireBearer(db, request, now(), typeof by === 'string' ? {} : demandOf(by));
  await limits.take(BY_CLIENT, `${access.application?.id ?? ''} ${access.user?.id ?? ''}`, response);
  return { access, user: access.user };
}

function demandOf(scopes: readonly string[]): Demand {
  const user = scopes.find((scope): scope is UserScope => Object.hasOwn(USER_SCOPES, scope));
  const application = scopes.find((scope): scope is ApplicationScope => Object.hasOwn(APPLICATION_SCOPES, scope));
  return { ...(user && { user }), ...(application && { application }) };
}

/**
 * The query of a request as its schema reads it. What is unknown, repeated or out of range is refused: a mistyped
 * filter would otherwise show everything.
 * @throws ServiceError `invalid-request`
 */
function readQuery<S extends z.ZodMiniType>(schema: S, request: Request): z.output<S> {
  const read = schema.safeParse({ ...request.query });
  if (read.success && isStorable(read.data)) return read.data;
  if (read.success) throw new ServiceError('invalid-request', { detail: 'text that no database holds' });
  const names = namesOf(read.error).join(', ');
  throw new ServiceError('invalid-request', {
    message: `These parameters are unknown, repeated or out of range${names && `: ${names}`}.`,
  });
}
