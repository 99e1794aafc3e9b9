/** Registers users with a wallet at the service. The instances can be killed at any moment. */
import { createTestWallet, signInOnPages, type TestApp, type TestWallet } from '../../server/testing.ts';
import type { Acknowledged } from './acknowledged.ts';
import { JSON_BODY, type Client } from './client.ts';

export interface Person {
  id: string;
  handle: string;
  wallet: TestWallet;
  accessToken: string;
  /** Headers of the wallet's requests. */
  own: Record<string, string>;
}

export const FIRST_NAME = 'A Name';

/** Registers a user. Retries until the registration succeeds. */
export async function newPerson(notes: Acknowledged, client: Client, handle: string): Promise<Person> {
  const wallet = createTestWallet();
  const { publicKey } = wallet;
  for (let attempt = 0; ; attempt += 1) {
    const register = wallet.registration(`${handle}x${attempt}`, FIRST_NAME);
    const challenge = (body: object) =>
      client.insist('POST', '/api/v2/sign-in/challenges', JSON_BODY, JSON.stringify({ publicKey, ...body }));
    const first = await challenge({ register });
    // Signs in if the account was created but the response was lost.
    const isMade = first.body.error?.code === 'key-taken';
    const { nonce, message } = (isMade ? await challenge({}) : first).body;
    const signed = JSON.stringify({ publicKey, nonce, signature: wallet.sign(message) });
    const made = await client.ask('POST', isMade ? '/api/v2/sign-in' : '/api/v2/users', JSON_BODY, signed);
    if (!made || !client.expectStatus('registration', made, 200, 201)) continue;
    const { accessToken, user } = made.body as { accessToken: string; user: { id: string; handle: string } };
    notes.users.set(user.id, user.handle);
    const own = { Authorization: `Bearer ${accessToken}`, ...JSON_BODY };
    return { id: user.id, handle: user.handle, wallet, accessToken, own };
  }
}

/** Signs a user in on the service's pages. Retries until the sign-in succeeds. @returns the session cookie */
export async function cookieOf({ wallet }: Person, client: Client, baseUrl: string): Promise<string> {
  const post: TestApp['post'] = (path, body, headers) =>
    client.insist('POST', path, { ...JSON_BODY, ...headers }, JSON.stringify(body));
  for (;;) {
    const signedIn = await signInOnPages({ baseUrl, post } as TestApp, wallet).catch(() => null);
    if (signedIn) return signedIn.Cookie;
  }
}
