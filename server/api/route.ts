/** Routes of both API versions. Callers, parameters and responses are checked here for all routes. */
import type { Request, RequestHandler, Response } from 'express';
import type * as z from 'zod/mini';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Addresses } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { isStorable, jsonBody, readBody } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import { respondOnce } from '../http/idempotency.ts';
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

export interface ApiContext {
  db: Database;
  addresses: Addresses;
  now: () => Date;
  rates: RateSource;
  currencies: CurrencySource;
  limits: RateLimits;
}

/**
 * An authorized request. The query and body are validated only when read, because some routes have their own error
 * messages for invalid input.
 */
export class Call<Q, B> {
  readonly request: Request;
  readonly response: Response;
  /** The database, or the transaction that holds the `Idempotency-Key` lock if the route accepts that header. */
  readonly db: Database;
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

  /** The validated query. @throws ServiceError `invalid-request` */
  get query(): Q {
    return readQuery(this.#declaration.query as z.ZodMiniType<Q>, this.request);
  }

  /** The validated body. @throws ServiceError see {@link readBody} */
  get body(): B {
    return readBody(this.#declaration.body as z.ZodMiniType<B>, this.request.body);
  }

  /** The calling user, or the user whom the calling application represents. @throws ServiceError `not-found` */
  get user(): User {
    if (!this.#user) throw new ServiceError('not-found');
    return this.#user;
  }
}

/** An authenticated caller: the token's {@link Access} and the user, each null if absent. */
interface Admitted {
  access: Access | null;
  user: User | null;
}

type Handle<Q, B, A> = (call: Call<Q, B>) => Promise<A | void> | A;

/** Rate limit per token holder: an application acting for one user, an application acting for itself, or a wallet. */
const BY_CLIENT = { name: 'client', perMinute: 1_200, burst: 1_200 };

/** Makes a route from a declaration and a handler, whose result is sent with the declaration's first status. */
export type RouteMaker = <Q, B, A>(declaration: Declaration<Q, B, A>, handle: Handle<Q, B, A>) => Route;

/** Creates a {@link RouteMaker}. Request bodies are JSON of at most 100 kB. */
export function routeMaker(context: Pick<ApiContext, 'db' | 'addresses' | 'now' | 'limits'>): RouteMaker {
  const { db, now } = context;
  return <Q, B, A>(declaration: Declaration<Q, B, A>, handle: Handle<Q, B, A>) => {
    const { by, body, once } = declaration;
    const status = usualStatus(declaration);
    const answer: RequestHandler = async (request, response) => {
      const admitted = await letIn(context, by, request, response);
      const callOn = (handle: Database) => new Call<Q, B>(request, response, handle, admitted, declaration);
      if (once)
        await respondOnce({
          db,
          now,
          request,
          response,
          // Separates applications of the same user, which must not share keys or see each other's responses.
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
  if (typeof answers[status] === 'string') return;
  response.status(status);
  if (body === undefined) response.end();
  else sendBody(response, path, body as object);
}

function sendBody(response: Response, path: string, body: object): void {
  if (path.startsWith('/api/v1/')) sendDocument(response, body);
  else sendJson(response, body);
}

/**
 * Authenticates the caller and checks that the route accepts this kind of caller.
 * @throws ServiceError `too-many-requests`, and the errors from {@link requireBearer} and {@link requireOwner}
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
 * Parses a request's query. Rejects unknown and repeated parameters, because ignoring a mistyped filter would return
 * everything.
 * @throws ServiceError `invalid-request`
 */
function readQuery<S extends z.ZodMiniType>(schema: S, request: Request): z.output<S> {
  const read = schema.safeParse({ ...request.query });
  if (read.success && isStorable(read.data)) return read.data;
  if (read.success) throw new ServiceError('invalid-request', { detail: 'text that PostgreSQL can’t store' });
  const names = namesOf(read.error).join(', ');
  throw new ServiceError('invalid-request', {
    message: `These parameters are unknown, repeated or out of range${names && `: ${names}`}.`,
  });
}
