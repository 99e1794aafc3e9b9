/** The part of a service that all test networks have: rates, accounts and reports. */
import { signInMessage } from '../../protocol/signed-messages/sign-in-message.ts';

/** A response: status (200 if missing) and JSON. */
export interface Said {
  status?: number;
  body?: unknown;
}

interface TestService {
  /** Origin, as the wallet calls it. */
  origin: string;
  /** The domain of its paymails. */
  domain: string;
  /** The price of one BSV, by currency. */
  rates: Record<string, string>;
  /** The time of the rates (milliseconds since 1970). */
  ratesAt: number;
  /** The time of a challenge to sign in (milliseconds since 1970). */
  now: number;
  nonce: () => string;
  /** Reported payments, by id. */
  reports: Map<string, unknown>;
}

/** How long a challenge is valid (milliseconds). */
const CHALLENGE_MS = 300_000;

/** The description of a network whose operator and index are below a URL. */
export const networkAt = (arcUrl: string, wocUrl: string): Said => ({
  body: { network: 'devnet', arcUrl, wocUrl, feePolicy: { satoshis: 100, bytes: 1000 } },
});

/** Answers a request to its API; null for any other. */
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
  return { status: isKnown ? 200 : 201, body: {} };
}
