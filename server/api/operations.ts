/** Every call of the HTTP interface that others than its own pages make: what the documentation is made from. */
import * as z from 'zod/mini';
import * as api from '../../protocol/api.ts';
import * as v1 from '../../protocol/api-v1.ts';
import * as v2 from '../../protocol/api-v2.ts';
import * as applications from '../../protocol/applications.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import * as oauth from '../../protocol/oauth.ts';
import * as received from '../../protocol/received.ts';
import { resendResponse, webhookEventsQuery, webhookEventsResponse } from '../../protocol/webhooks.ts';
import type { Scope } from '../oauth/scopes.ts';

/** A page that does not know its user's key asks with an empty object. */
const challengeRequest = z.union([api.challengeRequest, z.strictObject({})]);
const challengeResponse = z.union([api.challengeResponse, api.openChallengeResponse]);

/** Schemas that have a name in the document. */
export const SCHEMAS: Readonly<Record<string, z.ZodMiniType>> = {
  Payment: api.keptPayment, PaymentReport: api.paymentReport, PaymentAnswer: api.paymentResponse, PaymentList: v2.paymentsResponse,
  Challenge: challengeRequest, ChallengeAnswer: challengeResponse, SignedChallenge: api.signedChallenge, SignedRegistration: api.signedRegistration,
  Session: api.session, Handle: api.handleResponse, Network: api.networkResponse, Rates: api.ratesResponse, Error: api.errorResponse,
  Me: v2.meResponse, ProfileAnswer: v2.profileResponse, ProfileChange: v2.profileChange, BalancePublication: v2.balancePublication,
  BalanceWanted: v2.balanceWantedResponse, Balances: v2.balancesResponse, Assets: v2.assetsResponse, Currencies: v2.currenciesResponse,
  NewApplication: applications.newApplication, ChangedApplication: applications.changedApplication, ApplicationAnswer: applications.applicationResponse,
  CreatedApplication: applications.createdApplicationResponse, ClientSecretAnswer: applications.clientSecretResponse,
  WebhookSecretAnswer: applications.webhookSecretResponse, ApplicationList: applications.applicationsResponse,
  WebhookEvents: webhookEventsResponse, Resent: resendResponse,
  Received: received.receivedResponse, Acknowledgement: received.acknowledgement, Acknowledged: received.acknowledgementResponse, UserPaymail: received.userPaymailResponse,
  IdentityDocument: v1.identityDocument, UserDocument: v1.userDocument, ProfileDocument: v1.profileDocument, BalanceDocument: v1.balanceDocument, PaymentDocument: v1.paymentDocument,
  PaymentsDocument: v1.paymentsDocument, UserPaymentsDocument: v1.userPaymentsDocument, CurrenciesDocument: v1.currenciesDocument, ErrorDocument: v1.errorDocument,
  TokenRequest: oauth.tokenRequest, Token: oauth.tokenResponse, ProxyTokenRequest: oauth.proxyTokenRequest, TokenForm: oauth.tokenForm,
  Revoked: oauth.revokeResponse, Introspection: oauth.introspectResponse, OAuthError: oauth.oauthError,
};

/** Parts of the documentation, in order. */
export const TAGS = {
  'API v1': 'JSON:API documents (application/vnd.api+json), for software written for the first generation.',
  'API v2': 'Plain JSON. Money is text, times are ISO 8601 UTC.',
  'OAuth': 'Tokens (RFC 6749, 7009, 7662). The flow begins in the browser, at GET /oauth/v1/authorize.',
  'Applications': 'A user’s own applications, for the wallet and this service’s own pages.',
  'Wallets': 'What wallets ask: registration, sign-in, payments, balances, and what came in by paymail.',
} as const;

/** A call. */
export interface Operation {
  id: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With parameters in braces. */
  path: string;
  tag: keyof typeof TAGS;
  summary: string;
  /** Who may call it: anybody, tokens with a scope (wallets always), wallets, also those without an account here, or wallets and this service's own pages; or OAuth's clients. */
  by: 'anybody' | 'wallet' | 'any-wallet' | 'owner' | 'client' | readonly Scope[];
  query?: z.ZodMiniObject;
  body?: { schema: z.ZodMiniType; type: 'application/json' | 'application/x-www-form-urlencoded' };
  /** Answers by status; null has no body, `events` are server-sent events (WHATWG HTML, 9.2) until the token expires. */
  answers: Readonly<Record<number, z.ZodMiniType | 'events' | null>>;
  /** Codes of errors besides those that follow from who may call it. */
  errors?: readonly ErrorCode[];
  /** Takes Idempotency-Key. */
  once?: boolean;
}

const json = (schema: z.ZodMiniType) => ({ schema, type: 'application/json' } as const);
const form = (schema: z.ZodMiniType) => ({ schema, type: 'application/x-www-form-urlencoded' } as const);
const REPORT_ANSWER = z.union([api.paymentResponse, api.anonymousReportResponse]);
const EITHER: readonly Scope[] = ['payments:read', 'application_access:write'];
const APPLICATION = '/api/v2/me/applications/{id}';

/** All of them; a test compares them with the routes. */
export const OPERATIONS: readonly Operation[] = [
  { id: 'readIdentity', method: 'get', path: '/api/v1/auth/user_identity', tag: 'API v1', summary: 'Who the user is', by: ['auth.user_identity:read'], answers: { 200: v1.identityDocument } },
  { id: 'readUserDocument', method: 'get', path: '/api/v1/users/{id}', tag: 'API v1', summary: 'The user; with the profile, where the token has users.profiles:read', by: ['auth.user_identity:read'], answers: { 200: v1.userDocument }, errors: ['not-found'] },
  { id: 'readProfileDocument', method: 'get', path: '/api/v1/users/{id}/profile', tag: 'API v1', summary: 'The user’s profile', by: ['users.profiles:read'], answers: { 200: v1.profileDocument }, errors: ['not-found'] },
  { id: 'readBalanceDocument', method: 'get', path: '/api/v1/users/{id}/balance', tag: 'API v1', summary: 'The balance as the wallet last published it; 404 while it has published none', by: ['users.balance:read'], answers: { 200: v1.balanceDocument }, errors: ['not-found'] },
  { id: 'listUserPayments', method: 'get', path: '/api/v1/users/{id}/payments', tag: 'API v1', summary: 'Payments that the user sent or got, in pages', by: ['payments:read'], query: v1.userPaymentsQuery, answers: { 200: v1.userPaymentsDocument }, errors: ['not-found', 'invalid-request'] },
  { id: 'listPaymentDocuments', method: 'get', path: '/api/v1/payments', tag: 'API v1', summary: 'Payments that the user may read, or that were made through the application', by: EITHER, query: v1.paymentsQuery, answers: { 200: v1.paymentsDocument }, errors: ['invalid-request'] },
  { id: 'readPaymentDocument', method: 'get', path: '/api/v1/payments/{id}', tag: 'API v1', summary: 'One payment', by: EITHER, answers: { 200: v1.paymentDocument }, errors: ['not-found'] },
  { id: 'listCryptoCurrencies', method: 'get', path: '/api/v1/currencies/crypto', tag: 'API v1', summary: 'Cryptocurrencies', by: 'anybody', answers: { 200: v1.currenciesDocument } },
  { id: 'listFiatCurrencies', method: 'get', path: '/api/v1/currencies/fiat', tag: 'API v1', summary: 'Money of states', by: 'anybody', answers: { 200: v1.currenciesDocument } },

  { id: 'readMe', method: 'get', path: '/api/v2/me', tag: 'API v2', summary: 'Who the user is; the profile too, where the token has users.profiles:read', by: ['auth.user_identity:read'], answers: { 200: v2.meResponse } },
  { id: 'readProfile', method: 'get', path: '/api/v2/me/profile', tag: 'API v2', summary: 'The user’s profile', by: ['users.profiles:read'], answers: { 200: v2.profileResponse } },
  { id: 'readBalances', method: 'get', path: '/api/v2/me/balances', tag: 'API v2', summary: 'The balance as the wallet last published and signed it; 404 while it has published none', by: ['users.balance:read'], answers: { 200: v2.balancesResponse }, errors: ['not-found'] },
  { id: 'readWalletBalances', method: 'get', path: '/api/v2/me/wallets/active/balances', tag: 'API v2', summary: 'The same as /api/v2/me/balances, by the name that older software asks it by', by: ['users.balance:read'], answers: { 200: v2.balancesResponse }, errors: ['not-found'] },
  { id: 'listOwnPayments', method: 'get', path: '/api/v2/me/payments', tag: 'API v2', summary: 'Payments that the user sent or got, or that were made through the application', by: EITHER, query: v2.paymentListQuery, answers: { 200: v2.paymentsResponse }, errors: ['invalid-request'] },
  { id: 'readOwnPayment', method: 'get', path: '/api/v2/me/payments/{id}', tag: 'API v2', summary: 'One of them', by: EITHER, answers: { 200: api.paymentResponse }, errors: ['not-found'] },
  { id: 'listPayments', method: 'get', path: '/api/v2/payments', tag: 'API v2', summary: 'Payments that the user may read, or that were made through the application', by: EITHER, query: v2.paymentListQuery, answers: { 200: v2.paymentsResponse }, errors: ['invalid-request'] },
  { id: 'readPayment', method: 'get', path: '/api/v2/payments/{id}', tag: 'API v2', summary: 'One payment', by: EITHER, answers: { 200: api.paymentResponse }, errors: ['not-found'] },
  { id: 'listAssets', method: 'get', path: '/api/v2/me/assets', tag: 'API v2', summary: 'The user’s assets: none yet', by: ['users.asset:read'], answers: { 200: v2.assetsResponse } },
  { id: 'listCurrencies', method: 'get', path: '/api/v2/currencies', tag: 'API v2', summary: 'Currencies that amounts may be in', by: 'anybody', answers: { 200: v2.currenciesResponse } },
  { id: 'readNetwork', method: 'get', path: '/api/v2/network', tag: 'API v2', summary: 'The network, where it is asked, and what it charges', by: 'anybody', answers: { 200: api.networkResponse } },
  { id: 'readRates', method: 'get', path: '/api/v2/rates', tag: 'API v2', summary: 'What one BSV costs', by: 'anybody', answers: { 200: api.ratesResponse }, errors: ['rate-unavailable'] },

  { id: 'issueToken', method: 'post', path: '/oauth/v1/token', tag: 'OAuth', summary: 'A token for a code, for a refresh token, or for an application itself', by: 'client', body: form(oauth.tokenRequest), answers: { 200: oauth.tokenResponse } },
  { id: 'refreshToken', method: 'post', path: '/oauth/v1/auth-proxy/token', tag: 'OAuth', summary: 'A token for a refresh token, asked by JSON', by: 'anybody', body: json(oauth.proxyTokenRequest), answers: { 200: oauth.tokenResponse } },
  { id: 'revokeToken', method: 'post', path: '/oauth/v1/revoke', tag: 'OAuth', summary: 'Gives a token back; with a refresh token all that came from it', by: 'client', body: form(oauth.tokenForm), answers: { 200: oauth.revokeResponse } },
  { id: 'introspectToken', method: 'post', path: '/oauth/v1/introspect', tag: 'OAuth', summary: 'What stands behind a token', by: 'client', body: form(oauth.tokenForm), answers: { 200: oauth.introspectResponse } },

  { id: 'createApplication', method: 'post', path: '/api/v2/me/applications', tag: 'Applications', summary: 'Makes an application; its secrets are told this once', by: 'owner', body: json(applications.newApplication), answers: { 201: applications.createdApplicationResponse }, errors: ['invalid-request', 'too-many-applications'], once: true },
  { id: 'listApplications', method: 'get', path: '/api/v2/me/applications', tag: 'Applications', summary: 'The user’s applications', by: 'owner', answers: { 200: applications.applicationsResponse } },
  { id: 'readApplication', method: 'get', path: APPLICATION, tag: 'Applications', summary: 'One application', by: 'owner', answers: { 200: applications.applicationResponse }, errors: ['unknown-application'] },
  { id: 'changeApplication', method: 'patch', path: APPLICATION, tag: 'Applications', summary: 'Changes what is given', by: 'owner', body: json(applications.changedApplication), answers: { 200: applications.applicationResponse }, errors: ['invalid-request', 'unknown-application'], once: true },
  { id: 'replaceClientSecret', method: 'post', path: `${APPLICATION}/secret`, tag: 'Applications', summary: 'A new client secret; the old one is worth nothing from then on', by: 'owner', answers: { 200: applications.clientSecretResponse }, errors: ['unknown-application'], once: true },
  { id: 'replaceWebhookSecret', method: 'post', path: `${APPLICATION}/webhook-secret`, tag: 'Applications', summary: 'A new webhook secret', by: 'owner', answers: { 200: applications.webhookSecretResponse }, errors: ['unknown-application'], once: true },
  { id: 'listWebhookEvents', method: 'get', path: `${APPLICATION}/webhook-events`, tag: 'Applications', summary: 'Webhook events and every attempt to deliver them', by: 'owner', query: webhookEventsQuery, answers: { 200: webhookEventsResponse }, errors: ['invalid-request', 'unknown-application'] },
  { id: 'resendWebhookEvent', method: 'post', path: `${APPLICATION}/webhook-events/{eventId}/resend`, tag: 'Applications', summary: 'Delivers an event once more', by: 'owner', answers: { 202: resendResponse }, errors: ['not-found', 'unknown-application'] },
  { id: 'deleteApplication', method: 'delete', path: APPLICATION, tag: 'Applications', summary: 'Deletes an application, and all access that it had', by: 'owner', answers: { 204: null }, errors: ['unknown-application'], once: true },

  { id: 'createChallenge', method: 'post', path: '/api/v2/sign-in/challenges', tag: 'Wallets', summary: 'A text to sign, to register or to sign in', by: 'anybody', body: json(challengeRequest), answers: { 201: challengeResponse }, errors: ['invalid-request', 'invalid-handle', 'key-taken', 'handle-taken'] },
  { id: 'createUser', method: 'post', path: '/api/v2/users', tag: 'Wallets', summary: 'Registers', by: 'anybody', body: json(api.signedRegistration), answers: { 201: api.session }, errors: ['invalid-request', 'invalid-challenge', 'invalid-signature', 'key-taken', 'handle-taken'] },
  { id: 'signIn', method: 'post', path: '/api/v2/sign-in', tag: 'Wallets', summary: 'Signs in', by: 'anybody', body: json(api.signedChallenge), answers: { 200: api.session }, errors: ['invalid-request', 'invalid-challenge', 'invalid-signature', 'unknown-account'] },
  { id: 'checkHandle', method: 'get', path: '/api/v2/handles/{handle}', tag: 'Wallets', summary: 'Is a handle free?', by: 'anybody', answers: { 200: api.handleResponse }, errors: ['invalid-handle'] },
  { id: 'changeProfile', method: 'patch', path: '/api/v2/me', tag: 'Wallets', summary: 'Changes what is given of the profile', by: 'owner', body: json(v2.profileChange), answers: { 200: v2.profileResponse }, errors: ['invalid-request'], once: true },
  { id: 'reportPayment', method: 'post', path: '/api/v2/payments', tag: 'Wallets', summary: 'Reports a payment that the network has taken; 200 for the same report again. Without a token: of a wallet that has no account here', by: 'any-wallet', body: json(api.paymentReport), answers: { 201: REPORT_ANSWER, 200: REPORT_ANSWER }, errors: ['invalid-request', 'invalid-amount', 'payment-conflict', 'too-large', 'invalid-transaction', 'payment-mismatch', 'invalid-recipient', 'not-accepted', 'unrelated-payment', 'network-unavailable', 'service-unavailable', 'request-timeout'] },
  { id: 'readBalanceWanted', method: 'get', path: '/api/v2/me/balance-wanted', tag: 'Wallets', summary: 'May some application read the balance?', by: 'wallet', answers: { 200: v2.balanceWantedResponse } },
  { id: 'publishBalance', method: 'put', path: '/api/v2/me/balance', tag: 'Wallets', summary: 'Publishes the balance; it is kept only while some application may read it', by: 'wallet', body: json(v2.balancePublication), answers: { 200: v2.balanceWantedResponse }, errors: ['invalid-request', 'invalid-signature'] },
  { id: 'readReceived', method: 'get', path: '/api/v2/me/received', tag: 'Wallets', summary: 'What came in by paymail and was not acknowledged yet, the oldest first; up to about 5 MB', by: 'wallet', query: received.receivedQuery, answers: { 200: received.receivedResponse }, errors: ['invalid-request'] },
  { id: 'acknowledgeReceived', method: 'post', path: '/api/v2/me/received/acknowledgements', tag: 'Wallets', summary: 'Says that the wallet has it; what is not the user’s counts as nothing', by: 'wallet', body: json(received.acknowledgement), answers: { 200: received.acknowledgementResponse }, errors: ['invalid-request'] },
  { id: 'listenReceived', method: 'get', path: '/api/v2/me/received/events', tag: 'Wallets', summary: 'Server-sent events: “received”, without data, whenever something waits that was not told of before', by: 'wallet', answers: { 200: 'events' }, errors: ['service-unavailable'] },
  { id: 'readUserPaymail', method: 'get', path: '/api/v2/users/{id}/paymail', tag: 'Wallets', summary: 'Where the user with an ID is paid', by: 'anybody', answers: { 200: received.userPaymailResponse }, errors: ['unknown-recipient'] },
];

/** All codes that a call may answer with. */
export function errorsOf({ by, once, errors = [] }: Operation): ErrorCode[] {
  const access: ErrorCode[] = by === 'anybody' || by === 'client' ? [] : ['unauthenticated', 'insufficient-scope'];
  const own: ErrorCode[] = by === 'owner' ? ['forbidden'] : [];
  const keyed: ErrorCode[] = once ? ['idempotency-conflict', 'request-under-way'] : [];
  return [...new Set([...errors, ...access, ...own, ...keyed, 'too-many-requests' as const])];
}
