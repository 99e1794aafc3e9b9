/** Somebody with an account and no browser: their wallet speaks to the service's interface. */
import type { Account } from '../../protocol/wallet-messages.ts';
import { createTestWallet } from '../../server/testing.ts';
import { postJson } from './service.ts';

/** What they have from registering. */
export interface Person {
  accessToken: string;
  user: Account;
}

/** Registers somebody. */
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
