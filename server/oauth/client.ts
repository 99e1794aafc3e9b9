/** Client authentication at the token endpoint and related endpoints (RFC 6749, sections 2.3 and 3.2.1). */
import type { Request } from 'express';
import { findByClientIdentifier, findByOauthIdentifier, hasSecret, type Application } from '../applications/store.ts';
import type { Database } from '../database/connect.ts';
import { OAuthError, invalidClient } from './error.ts';
import type { Parameters } from './parameters.ts';

/** A client. `proven` is true if the client presented its secret. */
export interface Client {
  application: Application;
  proven: boolean;
}

interface Credentials {
  id: string;
  secret: string;
}

/**
 * Parses Basic credentials (section 2.3.1). Doesn't decode `+` as a space, because credentials are letters and digits.
 */
function readBasic(header: string): Credentials {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  const [id, ...secret] = Buffer.from(encoded ?? '', 'base64')
    .toString('utf8')
    .split(':');
  if (!id || secret.length === 0) throw invalidClient('The Authorization header must contain a Basic credential.');
  try {
    return { id: decodeURIComponent(id), secret: decodeURIComponent(secret.join(':')) };
  } catch {
    throw invalidClient();
  }
}

async function findByEither(db: Database, id: string): Promise<Application | null> {
  return (await findByClientIdentifier(db, id)) ?? findByOauthIdentifier(db, id);
}

/** Returns a public client, identified without authentication. */
async function name(db: Database, id: string): Promise<Client> {
  const application = await findByOauthIdentifier(db, id);
  if (!application) throw invalidClient();
  return { application, proven: false };
}

async function prove(db: Database, { id, secret }: Credentials): Promise<Client> {
  const application = await findByEither(db, id);
  if (!application || !hasSecret(application, secret)) throw invalidClient();
  return { application, proven: true };
}

/**
 * Returns the client that sent a request, identified by Basic, by `client_id` and `client_secret` in the body, or by
 * the OAuth identifier without a secret. Null if the request names no client.
 * @throws OAuthError `invalid_client` (unknown client or wrong secret), `invalid_request` (two methods, or two clients)
 */
export async function readClient(db: Database, request: Request, parameters: Parameters): Promise<Client | null> {
  const header = request.headers.authorization;
  const [id, secret] = [parameters.get('client_id'), parameters.get('client_secret')];
  if (header !== undefined) {
    if (secret !== undefined) throw new OAuthError('invalid_request', 'Use one client authentication method.');
    const credentials = readBasic(header);
    // RFC 6749, section 2.3.1: an empty secret means no secret.
    const client = credentials.secret === '' ? await name(db, credentials.id) : await prove(db, credentials);
    const { clientIdentifier, oauthIdentifier } = client.application;
    if (id !== undefined && id !== clientIdentifier && id !== oauthIdentifier) {
      throw new OAuthError('invalid_request', 'client_id and the Authorization header name different clients.');
    }
    return client;
  }
  if (id === undefined) {
    if (secret !== undefined) throw new OAuthError('invalid_request', 'client_id is missing.');
    return null;
  }
  return secret === undefined ? name(db, id) : prove(db, { id, secret });
}

/** Returns the client's application if it may act for users. @throws OAuthError `invalid_client` (no secret) */
export function mayActForUsers({ application, proven }: Client): Application {
  if (application.requireSecret && !proven) throw invalidClient();
  return application;
}
