/** Registers a user without a browser, by calling the service's API directly. */
import type { Account } from '../../protocol/messages/wallet-messages.ts';
import { createTestWallet } from '../../server/testing.ts';
import { postJson } from './service.ts';

export interface Person {
  accessToken: string;
  user: Account;
}

export async function registerPerson(serviceUrl: string, handle: string, name: string): Promise<Person> {
  const wallet = createTestWallet();
  const { nonce, message } = await postJson<{ nonce: string; message: string }>(
    `${serviceUrl}/api/v2/sign-in/challenges`,
    { publicKey: wallet.publicKey, register: wallet.registration(handle, name) },
  );
  return postJson(`${serviceUrl}/api/v2/users`, {
    publicKey: wallet.publicKey,
    nonce,
    signature: wallet.sign(message),
  });
}
