/**
 * The OpenAPI 3.1 document, made from the operations and the schemas that the service itself reads and answers by.
 * Pure.
 */
import * as z from 'zod/mini';
import { errorResponse } from '../../protocol/api.ts';
import { errorDocument, JSON_API } from '../../protocol/api-v1.ts';
import { oauthError } from '../../protocol/oauth.ts';
import { PRODUCT_NAME } from '../../protocol/product.ts';
import { statusOf } from '../http/errors.ts';
import { APPLICATION_SCOPES, USER_SCOPES } from '../identity/scopes.ts';
import { errorsOf, OPERATIONS, SCHEMAS, TAGS, type Operation } from './operations.ts';

type Json = Record<string, unknown>;

/** A schema as JSON Schema 2020-12, which is what OpenAPI 3.1 speaks. */
export function jsonSchema(schema: z.ZodMiniType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' }) as Json;
  return rest;
}

function reference(schema: z.ZodMiniType): Json {
  const name = Object.keys(SCHEMAS).find((one) => SCHEMAS[one] === schema);
  return name === undefined ? jsonSchema(schema) : { $ref: `#/components/schemas/${name}` };
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 16, maxLength: 202 },
  description: 'The same write with the same key is made once, and gets the same answer for a day. A UUID does well.',
};

function parametersOf({ path, query, once }: Operation): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const properties = query ? Object.entries((jsonSchema(query).properties ?? {}) as Json) : [];
  const inQuery = properties.map(([name, schema]) => ({ name, in: 'query', required: false, schema }));
  return [...inPath, ...inQuery, ...(once ? [IDEMPOTENCY_KEY] : [])];
}

function securityOf({ by }: Operation): Json[] {
  if (by === 'anybody') return [];
  if (by === 'client') return [{ clientCredential: [] }, {}];
  if (by === 'wallet') return [{ wallet: [] }];
  if (by === 'any-wallet') return [{ wallet: [] }, {}];
  if (by === 'owner') return [{ wallet: [] }, { pages: [] }];
  return [...by.map((scope) => ({ oauth: [scope] })), { wallet: [] }];
}

const TITLES: Record<number, string> = { 200: 'Done', 201: 'Made', 202: 'Taken', 204: 'Done; no body' };

function responsesOf(operation: Operation): Json {
  const { path, answers, by } = operation;
  const inV1 = path.startsWith('/api/v1/');
  const inOAuth = path.startsWith('/oauth/');
  const content = (schema: z.ZodMiniType) => ({
    [inV1 ? JSON_API : 'application/json']: { schema: reference(schema) },
  });
  const responses: Json = {};
  for (const [status, answer] of Object.entries(answers)) {
    const shown =
      answer === 'events' ? { 'text/event-stream': { schema: { type: 'string' } } } : answer && content(answer);
    responses[status] = { description: TITLES[Number(status)], ...(shown && { content: shown }) };
  }
  const errors = new Map<number, string[]>(
    by === 'client' || inOAuth
      ? [
          [400, ['RFC 6749, section 5.2']],
          [401, ['invalid_client']],
        ]
      : [],
  );
  for (const code of errorsOf(operation)) errors.set(statusOf(code), [...(errors.get(statusOf(code)) ?? []), code]);
  for (const [status, codes] of errors) {
    responses[status] = {
      description: codes.join(', '),
      content: content(inV1 ? errorDocument : inOAuth ? oauthError : errorResponse),
    };
  }
  return responses;
}

function operationObject(operation: Operation): Json {
  const { id, tag, summary, body } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    security: securityOf(operation),
    parameters: parametersOf(operation),
    ...(body && { requestBody: { required: true, content: { [body.type]: { schema: reference(body.schema) } } } }),
    responses: responsesOf(operation),
  };
}

/** The document of the service at an origin. */
export function openApiDocument(baseUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const operation of OPERATIONS)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationObject(operation) };
  return {
    openapi: '3.1.0',
    info: {
      title: `${PRODUCT_NAME} API`,
      version: '2.0.0',
      description:
        'Money is decimal text or whole satoshis as text, never a number. Times are ISO 8601 UTC. Pages of every origin may call it with a token, never by a cookie.',
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(SCHEMAS).map(([name, schema]) => [name, jsonSchema(schema)])),
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: `${baseUrl}/oauth/v1/authorize`,
              tokenUrl: `${baseUrl}/oauth/v1/token`,
              refreshUrl: `${baseUrl}/oauth/v1/token`,
              scopes: USER_SCOPES,
            },
            clientCredentials: { tokenUrl: `${baseUrl}/oauth/v1/token`, scopes: APPLICATION_SCOPES },
          },
        },
        clientCredential: { type: 'http', scheme: 'basic', description: 'Client identifier and client secret.' },
        wallet: { type: 'http', scheme: 'bearer', description: 'The wallet’s own token, from signing in.' },
        pages: {
          type: 'apiKey',
          in: 'cookie',
          name: 'session',
          description: 'The session of this service’s own pages; not for others.',
        },
      },
    },
  };
}
