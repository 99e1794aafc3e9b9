/**
 * Simulates people and applications, and records everything that the service acknowledged. A missing answer proves
 * nothing: the request may have been executed or not.
 */
import { createTestReport } from '../../server/payment-reports/testing-report.ts';
import { createTestWallet } from '../../server/testing.ts';

/** What the service has acknowledged. */
export interface Acknowledged {
  /** Handles by user id. */
  users: Map<string, string>;
  /** Ids of payments, and the id of the user who reported each. */
  payments: Map<string, string>;
  /** By user id: the last name that was acknowledged, and those without an answer. */
  names: Map<string, { last: string; unknown: Set<string> }>;
  /** Valid tokens, and revoked ones. */
  tokens: Set<string>;
  revoked: Set<string>;
  /** Answers that should never have been, in words. */
  faults: string[];
  /** How many requests were answered, and how many were not. */
  answered: number;
  unanswered: number;
}

/** An empty record. */
export const newNotes = (): Acknowledged => ({
  users: new Map(),
  payments: new Map(),
  names: new Map(),
  tokens: new Set(),
  revoked: new Set(),
  faults: [],
  answered: 0,
  unanswered: 0,
});

/** What a worker needs from outside. */
export interface World {
  notes: Acknowledged;
  /** The instances' addresses. */
  urls: readonly string[];
  /** Tells the network that this transaction exists. */
  mine(txid: string): void;
  /** Where applications receive webhooks. */
  webhookUrl: string;
  goesOn(): boolean;
}

interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_BODY = { 'Content-Type': 'application/json' };
const UNANSWERED_PAUSE_MS = 50;

/** One user with an application, who performs one action after the other until the time is over. */
export async function work(world: World, number: number): Promise<void> {
  const { notes } = world;
  let turn = number;
  /** Sends a request to the instances in rotation. Null if there was no answer. */
  const ask = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<Answer | null> => {
    turn += 1;
    try {
      const response = await fetch(`${world.urls[turn % world.urls.length]}${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(15_000),
      });
      const answer = { status: response.status, body: await response.json() };
      notes.answered += 1;
      return answer;
    } catch {
      notes.unanswered += 1;
      await new Promise((wake) => setTimeout(wake, UNANSWERED_PAUSE_MS));
      return null;
    }
  };
  /** Retries until there is an answer: for idempotent requests. */
  const insist = async (...args: Parameters<typeof ask>): Promise<Answer> => {
    for (;;) {
      const answer = await ask(...args);
      if (answer) return answer;
    }
  };
  const expectStatus = (what: string, { status, body }: Answer, ...wanted: number[]): boolean => {
    if (wanted.includes(status)) return true;
    notes.faults.push(`${what}: ${status} ${JSON.stringify(body)}`);
    return false;
  };

  const wallet = createTestWallet();
  let session: { accessToken: string; user: { id: string; handle: string } } | null = null;
  for (let attempt = 0; !session; attempt += 1) {
    const handle = `soak${number}x${attempt}`;
    const challenge = await insist(
      'POST',
      '/api/v2/sign-in/challenges',
      JSON_BODY,
      JSON.stringify({ publicKey: wallet.publicKey, register: wallet.registration(handle) }),
    );
    // The account was made and the answer lost: sign in to it.
    const again =
      challenge.body.error?.code === 'key-taken'
        ? await insist('POST', '/api/v2/sign-in/challenges', JSON_BODY, JSON.stringify({ publicKey: wallet.publicKey }))
        : null;
    const { nonce, message } = (again ?? challenge).body;
    const signed = JSON.stringify({ publicKey: wallet.publicKey, nonce, signature: wallet.sign(message) });
    const made = await ask('POST', again ? '/api/v2/sign-in' : '/api/v2/users', JSON_BODY, signed);
    if (made && expectStatus('registration', made, 200, 201)) session = made.body;
  }
  const { id } = session.user;
  notes.users.set(id, session.user.handle);
  const own = { Authorization: `Bearer ${session.accessToken}`, ...JSON_BODY };

  const created = await insist(
    'POST',
    '/api/v2/me/applications',
    own,
    JSON.stringify({ name: 'Soak', url: 'https://app.example', webhookUrl: world.webhookUrl }),
  );
  if (!expectStatus('application', created, 201)) return;
  const { clientIdentifier, clientSecret } = created.body.application;
  const basic = {
    Authorization: `Basic ${Buffer.from(`${clientIdentifier}:${clientSecret}`).toString('base64')}`,
    ...FORM,
  };

  const pay = async () => {
    const { report, txid } = createTestReport([1_000n], wallet.publicKey);
    world.mine(txid);
    const body = JSON.stringify({ ...report, clientIdentifier });
    // The same report again until it is acknowledged, as a wallet does.
    const answer = await insist('POST', '/api/v2/payments', own, body);
    if (expectStatus('payment', answer, 200, 201)) notes.payments.set(report.id, id);
  };
  const rename = async (round: number) => {
    const name = `Name ${round}`;
    const known = notes.names.get(id) ?? { last: '', unknown: new Set<string>() };
    notes.names.set(id, known);
    const answer = await ask('PATCH', '/api/v2/me', own, JSON.stringify({ name }));
    if (!answer) known.unknown.add(name);
    else if (expectStatus('name', answer, 200)) known.last = name;
  };
  const token = async (): Promise<string | null> => {
    const answer = await ask(
      'POST',
      '/oauth/v1/token',
      basic,
      'grant_type=client_credentials&scope=application_access%3Awrite',
    );
    if (!answer || !expectStatus('token', answer, 200)) return null;
    notes.tokens.add(answer.body.access_token);
    // The next request goes to the other instance.
    const used = await insist('GET', '/api/v2/payments?limit=1', {
      Authorization: `Bearer ${answer.body.access_token}`,
    });
    expectStatus('a new token elsewhere', used, 200);
    return answer.body.access_token;
  };
  const revoke = async () => {
    const given = await token();
    if (given === null) return;
    notes.tokens.delete(given);
    const answer = await insist('POST', '/oauth/v1/revoke', basic, new URLSearchParams({ token: given }).toString());
    if (!expectStatus('revocation', answer, 200)) return;
    notes.revoked.add(given);
    // At once, on whichever instance.
    for (let i = 0; i < world.urls.length; i += 1) {
      expectStatus(
        'a revoked token',
        await insist('GET', '/api/v2/payments?limit=1', { Authorization: `Bearer ${given}` }),
        401,
      );
    }
  };

  for (let round = 0; world.goesOn(); round += 1) {
    await [pay, () => rename(round), token, revoke][round % 4]?.();
  }
}
