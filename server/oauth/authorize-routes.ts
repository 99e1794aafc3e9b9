/** The authorization endpoint: prompts the user, and redirects with the response (RFC 6749, section 4.1). */
import type { Request, RequestHandler, Response } from 'express';
import { authorizationDecision, authorizationRequest } from '../../protocol/http/oauth.ts';
import type { Route } from '../routing/route.ts';
import { findByOauthIdentifier, type Application } from '../applications/store.ts';
import type { Network } from '../../protocol/bitcoin/address.ts';
import type { Addresses } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { sendPage } from '../page/layout.ts';
import { isFromElsewhere, readSession, type Session } from '../identity/session.ts';
import {
  isStateTooLong,
  readAuthorizationRequest,
  readRedirectUri,
  REQUEST_PARAMETERS,
  type AuthorizationRequest,
} from './authorization-request.ts';
import { issueCode } from './authorizations.ts';
import { consentPage, sendConsentPage } from './consent-page.ts';
import { grantedScopes } from '../identity/consents.ts';
import { OAuthError } from './error.ts';
import { formBody, formParameters, queryParameters, type Parameters } from './parameters.ts';
import { redirectAddress, sendOn } from './redirect.ts';
import { refusalPage, staleFormPage } from './refusal-page.ts';

export interface OAuthContext {
  db: Database;
  network: Network;
  addresses: Addresses;
  now: () => Date;
}

const AUTHORIZE = '/oauth/v1/authorize';
const REQUEST = {
  response_type: 'code',
  client_id: 'oauth-of-the-shop',
  redirect_uri: 'https://shop.example/callback',
  scope: 'auth.user_identity:read payments:read',
  state: 'af0ifjsldkj',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
} as const;

export function authorizeRoutes({ db, network, addresses: { baseUrl, secure }, now }: OAuthContext): Route[] {
  const show: RequestHandler = (request, response) =>
    answer(request, response, queryParameters(request), async (asked) => {
      const { application, session, authorization } = asked;
      const code = await issueCode(
        db,
        { userId: session.user.id, application, request: authorization, now: now() },
        false,
      );
      if (code === null) await ask(response, asked);
      else sendAnswer(response, authorization, { code });
    });

  const decide: RequestHandler = (request, response) =>
    answer(request, response, formParameters(request), async (asked) => {
      const { application, session, authorization, parameters } = asked;
      if (isFromElsewhere(request, baseUrl) || parameters.get('form-token') !== session.formToken)
        return sendPage(response, staleFormPage, network, 403);
      const decision = parameters.get('decision');
      if (decision === 'deny') throw new OAuthError('access_denied', 'The user denied the request.');
      const grant = { userId: session.user.id, application, request: authorization, now: now() };
      const code = decision === 'allow' ? await issueCode(db, grant, true) : null;
      if (code === null) await ask(response, asked);
      else sendAnswer(response, authorization, { code });
    });

  const shared = { path: AUTHORIZE, tag: 'OAuth', by: 'person' } as const;
  const routes: Route[] = [
    {
      ...shared,
      id: 'authorize',
      method: 'get',
      summary: 'Shows the consent page, or redirects to sign-in or, with the result, to the application',
      query: authorizationRequest,
      answers: { 200: 'page', 303: 'redirect', 400: 'page' },
      example: { query: REQUEST },
      handlers: [show],
    },
    {
      ...shared,
      id: 'decideAuthorization',
      method: 'post',
      summary: 'Receives the consent page’s form, and redirects to the application with a code or an error',
      body: authorizationDecision,
      bodyType: 'application/x-www-form-urlencoded',
      answers: { 303: 'redirect', 200: 'page', 400: 'page', 403: 'page' },
      example: { body: { ...REQUEST, decision: 'allow', 'form-token': '8d2f5a1c' } },
      handlers: [formBody, decide],
    },
  ];

  interface ConsentRequest {
    parameters: Parameters;
    application: Application;
    authorization: AuthorizationRequest;
    session: Session;
  }

  /** Validates a request. Errors are shown to the user until the redirect URL is verified, then sent to the client. */
  async function answer(
    request: Request,
    response: Response,
    parameters: Parameters,
    proceed: (asked: ConsentRequest) => Promise<void>,
  ): Promise<void> {
    const clientId = parameters.get('client_id');
    const application = clientId === undefined ? null : await findByOauthIdentifier(db, clientId);
    if (!application) return sendPage(response, refusalPage('unknown-application'), network, 400);
    if (application.redirectUri === null) return sendPage(response, refusalPage('no-redirect-uri'), network, 400);
    const redirectUri = readRedirectUri(parameters, application);
    if (redirectUri === null) return sendPage(response, refusalPage('other-redirect-uri'), network, 400);
    try {
      const authorization = readAuthorizationRequest(parameters, application, redirectUri);
      const session = await readSession(db, request, secure, now());
      if (session) await proceed({ parameters, application, authorization, session });
      else sendOn(response, signInAddress(parameters, authorization.landing));
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const state = parameters.get('state');
      sendAnswer(
        response,
        // A longer state might exceed proxies' URL limits.
        { redirectUri, state: state !== undefined && isStateTooLong(state) ? undefined : state },
        { error: error.code, error_description: error.message },
      );
    }
  }

  async function ask(
    response: Response,
    { parameters, application, authorization, session }: ConsentRequest,
  ): Promise<void> {
    const granted = await grantedScopes(db, session.user.id, application.id);
    sendConsentPage(
      response,
      consentPage({ application, session, request: authorization, granted, hidden: requestFields(parameters) }),
      authorization.redirectUri,
      network,
    );
  }

  /** Redirects to the application with the response and the issuer (RFC 9207). */
  function sendAnswer(
    response: Response,
    { redirectUri, state }: { redirectUri: string; state: string | undefined },
    parameters: Record<string, string>,
  ): void {
    sendOn(response, redirectAddress(redirectUri, { ...parameters, state, iss: baseUrl }));
  }

  return routes;
}

function requestFields(parameters: Parameters): [name: string, value: string][] {
  return REQUEST_PARAMETERS.flatMap((name) => {
    const value = parameters.get(name);
    return value === undefined ? [] : [[name, value] as [string, string]];
  });
}

/** Returns the URL of the sign-in page, which redirects back here. */
function signInAddress(parameters: Parameters, landing: AuthorizationRequest['landing']): string {
  const back = `${AUTHORIZE}?${new URLSearchParams(requestFields(parameters)).toString()}`;
  return `/sign-in?${new URLSearchParams({ return: back, ...(landing === 'register' && { landing }) }).toString()}`;
}
