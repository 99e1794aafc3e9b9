/** The OpenAPI 3.1 document, generated from the service's routes and their schemas. Pure. */
import * as z from 'zod/mini';
import * as api from '../../../protocol/http/api.ts';
import * as v1 from '../../../protocol/compat/api-v1.ts';
import * as v2 from '../../../protocol/http/api-v2.ts';
import * as applications from '../../../protocol/http/applications.ts';
import * as arc from '../../../protocol/network/arc.ts';
import * as oauth from '../../../protocol/http/oauth.ts';
import * as paymail from '../../../protocol/http/paymail.ts';
import { PRODUCT_NAME } from '../../../protocol/text/product.ts';
import * as received from '../../../protocol/http/received.ts';
import * as webhooks from '../../../protocol/http/webhooks.ts';
import { statusOf } from '../../http/errors.ts';
import { APPLICATION_SCOPES, USER_SCOPES } from '../../identity/scopes.ts';
import { errorsOf, TAGS, usualStatus, type Route, type Unstructured } from '../../routing/route.ts';
import { meaningOf, withMeanings } from '../reference/meanings.ts';
import { describeOperation } from './operation-description.ts';
import { WEBHOOK_EXAMPLES, WEBHOOK_MEANINGS } from '../applications/webhook-examples.ts';

type Json = Record<string, unknown>;

/** Converts a schema to JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export function jsonSchema(schema: z.ZodMiniType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' }) as Json;
  return rest;
}

const NAMES = new Map(
  [api, v1, v2, applications, arc, oauth, paymail, received, webhooks].flatMap((module) =>
    Object.entries(module as Json).flatMap(([name, value]) =>
      value instanceof z.ZodMiniType ? [[value, name.charAt(0).toUpperCase() + name.slice(1)] as const] : [],
    ),
  ),
);

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 16, maxLength: 202 },
  description:
    'Requests with the same key take effect once and get the same response for a day. A UUID is a good choice.',
};

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'Done; no body',
  303: 'Redirects the browser',
};
const MEDIA: Readonly<Record<Exclude<Unstructured, 'redirect'>, string>> = {
  events: 'text/event-stream',
  page: 'text/html',
  text: 'text/plain',
};

function securityOf({ by }: Route): Json[] {
  if (by === 'anybody') return [];
  if (by === 'client') return [{ clientCredential: [] }, {}];
  if (by === 'wallet') return [{ wallet: [] }];
  if (by === 'any-wallet') return [{ wallet: [] }, {}];
  if (by === 'owner') return [{ wallet: [] }, { pages: [] }];
  if (by === 'person') return [{ pages: [] }, {}];
  if (by === 'gateway') return [{ gateway: [] }];
  return [...by.map((scope) => ({ oauth: [scope] })), { wallet: [] }];
}

export function openApiDocument(baseUrl: string, routes: readonly Route[]): Json {
  const schemas: Record<string, Json> = {};
  const reference = (schema: z.ZodMiniType, part: string): Json => {
    const name = NAMES.get(schema);
    if (name === undefined) return withMeanings(part, jsonSchema(schema));
    schemas[name] ??= withMeanings(part, jsonSchema(schema));
    return { $ref: `#/components/schemas/${name}` };
  };

  const parametersOf = ({ path, tag, query, once, example }: Route): Json[] => {
    const inPath = [...path.matchAll(/(?<=([^/]+)\/)\{(\w+)\}/g)].map(([, before = '', name = '']) => ({
      name,
      in: 'path',
      required: true,
      description: meaningOf(tag, [before, `{${name}}`]),
      schema: { type: 'string' },
    }));
    const { properties = {}, required = [] } = (query ? withMeanings(tag, jsonSchema(query)) : {}) as {
      properties?: Json;
      required?: string[];
    };
    const examples = (example?.query ?? {}) as Json;
    const inQuery = Object.entries(properties).map(([name, schema]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      schema,
      ...(name in examples && { example: examples[name] }),
    }));
    return [...inPath, ...inQuery, ...(once ? [IDEMPOTENCY_KEY] : [])];
  };

  const requestBodyOf = ({
    tag,
    body,
    bodyOptional = false,
    bodyType = 'application/json',
    otherBodies = {},
    example,
  }: Route): Json => {
    if (!body) return {};
    const others = Object.entries(otherBodies).map(([type, schema]) => [type, { schema: reference(schema, tag) }]);
    const content = {
      [bodyType]: { schema: reference(body, tag), ...(example?.body !== undefined && { example: example.body }) },
      ...Object.fromEntries(others),
    };
    return { requestBody: { required: !bodyOptional, content } };
  };

  const responsesOf = (route: Route): Json => {
    const { path, tag, answers, by, example } = route;
    const json = tag === 'API v1' ? v1.JSON_API : 'application/json';
    const responses: Json = {};
    for (const [status, answer] of Object.entries(answers)) {
      const content =
        answer === null || answer === 'redirect'
          ? null
          : typeof answer === 'string'
            ? { [MEDIA[answer]]: { schema: { type: 'string' } } }
            : {
                [json]: {
                  schema: reference(answer, tag),
                  ...(Number(status) === usualStatus(route) && { example: example?.answer }),
                },
              };
      responses[status] = { description: DESCRIPTIONS[Number(status)] ?? 'Refused', ...(content && { content }) };
    }
    const errors = new Map<number, string[]>(
      by === 'client' || path === '/oauth/v1/auth-proxy/token'
        ? [
            [400, ['RFC 6749, section 5.2']],
            [401, ['invalid_client']],
          ]
        : [],
    );
    for (const code of errorsOf(route)) {
      const status = statusOf(code, path);
      errors.set(status, [...(errors.get(status) ?? []), code]);
    }
    const form =
      tag === 'API v1'
        ? v1.errorDocument
        : tag === 'Paymail'
          ? paymail.paymailError
          : path.startsWith('/oauth/')
            ? oauth.oauthError
            : api.errorResponse;
    for (const [status, codes] of errors) {
      const error = { [json]: { schema: reference(form, tag) } };
      const page = responses[status] as Json | undefined;
      responses[status] = page
        ? { ...page, content: { ...(page.content as Json), ...error } }
        : { description: codes.join(', '), content: error };
    }
    return responses;
  };

  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const { id, method, path, tag, summary } = route;
    paths[path] = {
      ...paths[path],
      [method]: {
        operationId: id,
        tags: [tag],
        summary,
        description: describeOperation(route),
        security: securityOf(route),
        parameters: parametersOf(route),
        ...requestBodyOf(route),
        responses: responsesOf(route),
      },
    };
  }
  const events = webhooks.WEBHOOK_EVENTS.map((type) => [type, webhookObject(type, reference)]);
  const tags = new Set(routes.map(({ tag }) => tag));
  return {
    openapi: '3.1.0',
    info: {
      title: `${PRODUCT_NAME} API`,
      version: '2.0.0',
      description:
        'Money is decimal text or whole satoshis as text, never a number. Times are ISO 8601 UTC. Pages of every origin may call the API with a token, never with a cookie.',
      contact: { name: `The operator of ${new URL(baseUrl).host}`, url: baseUrl },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: [
      ...Object.entries(TAGS).flatMap(([name, description]) =>
        tags.has(name as keyof typeof TAGS) ? [{ name, description }] : [],
      ),
      { name: WEBHOOK_TAG, description: 'Events sent to an application’s webhook URL, signed by Standard Webhooks.' },
    ],
    paths,
    webhooks: Object.fromEntries(events),
    components: {
      schemas,
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
        wallet: { type: 'http', scheme: 'bearer', description: 'The wallet’s own token, issued at sign-in.' },
        gateway: { type: 'http', scheme: 'bearer', description: 'The callback token that this service sent to ARC.' },
        pages: {
          type: 'apiKey',
          in: 'cookie',
          name: 'session',
          description: 'The session of this service’s own pages. Other pages can’t use it.',
        },
      },
    },
  };
}

const WEBHOOK_TAG = 'Webhooks';
const WEBHOOK_HEADERS = {
  'webhook-id': 'Identifies the event. It is the same in each delivery attempt.',
  'webhook-timestamp': 'The time of this attempt, in seconds since 1970.',
  'webhook-signature': 'One or more signatures, separated by spaces: `v1,` and base64.',
};

function webhookObject(type: webhooks.WebhookEvent, reference: (schema: z.ZodMiniType, part: string) => Json): Json {
  const { signed, withSecret } = WEBHOOK_EXAMPLES[type];
  const event = reference(webhooks.webhookEvent, 'Webhooks');
  return {
    post: {
      operationId: `webhook-${type}`,
      tags: [WEBHOOK_TAG],
      summary: 'Sent to an application’s webhook, and retried until it responds with 2xx',
      description: WEBHOOK_MEANINGS[type],
      // No security scheme, because webhooks are authenticated by their signature header.
      security: [],
      parameters: Object.entries(WEBHOOK_HEADERS).map(([name, description]) => ({
        name,
        in: 'header',
        required: true,
        description,
        schema: { type: 'string' },
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: withSecret ? { anyOf: [event, reference(webhooks.webhookWithSecret, 'Webhooks')] } : event,
            examples: { signed: { value: signed }, ...(withSecret && { withSecret: { value: withSecret } }) },
          },
        },
      },
      responses: { '2XX': { description: 'Received' } },
    },
  };
}
