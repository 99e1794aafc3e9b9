/**
 * A site asks the user to sign in with the identity key, or to make an account with it. The wallet writes the text
 * itself, from the origin that the browser names and from its own keys: what is signed for one site is of no use at
 * another.
 */
import { ServiceError } from '../../../protocol/errors.ts';
import type { PageParams, PageResults } from '../../../protocol/page-messages.ts';
import { signInMessage } from '../../../protocol/sign-in-message.ts';
import type { SignInView } from '../../../protocol/wallet-messages.ts';
import { answerPrompt, promptUser, decidable, failPrompt, noteShown, type Client } from '../prompts/prompt.ts';
import { readKey } from '../database.ts';
import { readSettings } from '../settings.ts';
import { offersBlock } from '../sites/site.ts';
import { readSite } from '../sites/store.ts';
import { signAsIdentity } from '../vault/identity.ts';
import { publicKeys, vaultStatus } from '../vault/vault.ts';
import { joinService } from './join.ts';
import { checkTimes, isOver } from './times.ts';
import type { SignInPrompt } from '../prompts/kinds.ts';

/**
 * Asks the user, and answers with the signature. Only a person's act in a page of its own may ask: who signs in
 * somewhere wants to.
 * @throws ServiceError `wallet-not-set-up`, `sign-in-refused`, `click-first`, `busy`, `too-many-requests`,
 * `site-blocked`,
 *   `invalid-challenge` (its times make no sense, or it is over), `page-gone`
 */
export function askToSignIn(
  { nonce, issuedAt, expiresAt, register }: PageParams<'identity/sign-in'>,
  client: Client,
): Promise<PageResults['identity/sign-in']> {
  return promptUser('sign-in', client, () => {
    if (client.userActivation !== 'new' && client.userActivation !== 'active') throw new ServiceError('click-first');
    checkTimes({ issuedAt, expiresAt }, Date.now());
    return Promise.resolve({ nonce, issuedAt, expiresAt, register });
  });
}

/** The text that a yes signs, and the public keys that go with it. */
async function toSign({
  origin,
  register,
  nonce,
  issuedAt,
  expiresAt,
}: SignInPrompt): Promise<{ text: string; publicKey: string; receivingXpub: string | null }> {
  const { identity, serviceXpub } = await publicKeys();
  const registration = register === null ? undefined : { ...register, receivingXpub: serviceXpub };
  return {
    text: signInMessage({ origin, publicKey: identity, register: registration, nonce, issuedAt, expiresAt }),
    publicKey: identity,
    receivingXpub: registration?.receivingXpub ?? null,
  };
}

/** What its window shows. */
export async function readSignInPrompt(ask: SignInPrompt): Promise<SignInView> {
  await noteShown(ask);
  const { network, serviceUrl } = await readSettings();
  const { text, publicKey } = await toSign(ask);
  const isService = ask.origin === serviceUrl;
  return {
    kind: 'sign-in',
    origin: ask.origin,
    locked: (await vaultStatus()).locked,
    network,
    mayBlock: offersBlock(await readSite(ask.origin), Date.now()),
    serviceUrl,
    register: ask.register,
    account: isService ? ((await readKey('account')) ?? null) : null,
    publicKey,
    text,
  };
}

/**
 * Takes the user's yes: signs, and stores the answer.
 * @throws ServiceError `approval-unknown`, `too-soon`, `wallet-locked`, `invalid-challenge` (it is over)
 */
export async function signSignInPrompt(approvalId: string): Promise<void> {
  const ask = await decidable('sign-in', approvalId);
  if (isOver(ask.expiresAt, Date.now())) {
    const error = new ServiceError('invalid-challenge');
    await failPrompt(ask, error);
    throw error;
  }
  const { text, publicKey, receivingXpub } = await toSign(ask);
  const signature = await signAsIdentity(text);
  await answerPrompt<'sign-in'>(ask, () => ({ publicKey, signature, receivingXpub }));
  void joinService();
}
