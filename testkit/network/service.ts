/** Mock service endpoints that all test networks share: rates, accounts and payment reports. */
import { signInMessage } from '../../protocol/signed-messages/sign-in-message.ts';

/** A response: status (default 200) and JSON body. */
export interface Said {
  status?: number;
  body?: unknown;
}

interface TestService {
  /** The origin at which the wallet calls the service. */
  origin: string;
  /** The domain of the service's paymails. */
  domain: string;
  /** The price of one BSV, by currency. */
  rates: Record<string, string>;
  /** The timestamp of the rates (milliseconds since 1970). */
  ratesAt: number;
  /** The timestamp of sign-in challenges (milliseconds since 1970). */
  now: number;
  nonce: () => string;
  /** Reported payments, by payment ID. */
  reports: Map<string, unknown>;
}

const CHALLENGE_MS = 300_000;

/** Describes a network with the given operator and index URLs. */
export const networkAt = (arcUrl: string, wocUrl: string): Said => ({
  body: { network: 'devnet', arcUrl, wocUrl, feePolicy: { satoshis: 100, bytes: 1000 } },
});

/** Returns the body with which a service acknowledges a report. @param report the request's body */
export const acknowledging = (report: string) => ({ payment: { id: (JSON.parse(report) as { id: string }).id } });

/** Handles a request to the service's API. @returns null for other paths */
export function serviceAnswer(service: TestService, path: string, body: string): Said | null {
  const { origin, reports } = service;
  if (path === '/api/v2/rates')
    return { body: { rates: service.rates, time: new Date(service.ratesAt).toISOString() } };
  if (path === '/api/v2/sign-in/challenges') {
    const { publicKey, register } = JSON.parse(body) as { publicKey: string; register?: never };
    const nonce = service.nonce();
    const [issuedAt, expiresAt] = [0, CHALLENGE_MS].map((ms) => new Date(service.now + ms).toISOString()) as [
      string,
      string,
    ];
    const message = signInMessage({ origin, publicKey, register, nonce, issuedAt, expiresAt });
    return { status: 201, body: { nonce, message, expiresAt } };
  }
  if (path === '/api/v2/users' || path === '/api/v2/sign-in') {
    const user = { id: '75101', handle: 'alice', paymail: `alice@${service.domain}`, name: 'Alice' };
    return { status: path.endsWith('users') ? 201 : 200, body: { user, accessToken: 'at_test', expiresIn: 3600 } };
  }
  if (path !== '/api/v2/payments') return null;
  const report = JSON.parse(body) as { id: string };
  const isKnown = reports.has(report.id);
  reports.set(report.id, report);
  return { status: isKnown ? 200 : 201, body: acknowledging(body) };
}
