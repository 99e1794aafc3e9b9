/**
 * The prompt to sign in to a site with the identity key, or to create an account with it. The wallet composes the text
 * itself, from the browser-verified origin and its own keys, so a signature for one site is useless at another.
 */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { PageParams, PageResults } from '../../protocol/messages/page-messages.ts';
import { signInMessage } from '../../protocol/signed-messages/sign-in-message.ts';
import type { SignInView } from '../../protocol/messages/wallet-messages.ts';
import { readKey } from '../store/database.ts';
import { promptUser, type Client } from '../prompts/request.ts';
import { resolvePrompt } from '../prompts/decide.ts';
import type { PromptKind } from '../prompts/kinds.ts';
import type { Prompt } from '../prompts/prompt.ts';
import { endPrompt } from '../prompts/store.ts';
import { readSettings } from '../settings.ts';
import { signAsIdentity } from '../vault/identity.ts';
import { publicKeys } from '../vault/vault.ts';
import { joinService } from './join.ts';
import { checkTimes, isOver } from './times.ts';
import { part, type Wallet } from '../platform.ts';

/** Stored details of the prompt. `register` is the requested account; null for a sign-in. */
type Details = Pick<PageParams<'identity/sign-in'>, 'nonce' | 'issuedAt' | 'expiresAt' | 'register'>;
/** The result contains a signature, which the site can use once, within a few minutes. */
type SignInResult = PageResults['identity/sign-in'];

export const signInPrompt = part((wallet): PromptKind<Details, SignInResult, SignInView> => ({
  name: 'sign-in',
  approvedBy: 'sign',
  declined: 'sign-in-refused',

  async view(prompt) {
    const { serviceUrl } = await readSettings(wallet);
    const { text, publicKey } = await toSign(wallet, prompt);
    const isService = prompt.origin === serviceUrl;
    return {
      kind: 'sign-in',
      serviceUrl,
      register: prompt.details.register,
      account: isService ? ((await readKey(wallet, 'account')) ?? null) : null,
      publicKey,
      text,
    };
  },

  /** Signs the text, unless it has expired. @throws ServiceError `invalid-challenge` (expired) */
  async approve(prompt) {
    if (isOver(prompt.details.expiresAt, wallet.now())) {
      const error = new ServiceError('invalid-challenge');
      await endPrompt(wallet, prompt, error, { failed: true });
      throw error;
    }
    const { text, publicKey, receivingXpub } = await toSign(wallet, prompt);
    const signature = await signAsIdentity(wallet, text);
    await resolvePrompt(wallet, prompt, () => ({ publicKey, signature, receivingXpub }));
    void joinService(wallet);
  },
}));

/** Returns the text to sign, and the public keys to send with the signature. */
async function toSign(
  wallet: Wallet,
  { origin, details: { register, nonce, issuedAt, expiresAt } }: Prompt<Details, SignInResult>,
): Promise<{ text: string; publicKey: string; receivingXpub: string | null }> {
  const { identity, serviceXpub } = await publicKeys(wallet);
  const registration = register === null ? undefined : { ...register, receivingXpub: serviceXpub };
  return {
    text: signInMessage({ origin, publicKey: identity, register: registration, nonce, issuedAt, expiresAt }),
    publicKey: identity,
    receivingXpub: registration?.receivingXpub ?? null,
  };
}

/**
 * Prompts the user and returns the signature. Requires a user gesture in a top-level page, because a user must sign in
 * deliberately.
 * @throws ServiceError `wallet-not-set-up`, `sign-in-refused`, `click-first`, `busy`, `too-many-requests`,
 * `site-blocked`, `invalid-challenge` (invalid times, or expired), `page-gone`
 */
export function promptSignIn(
  wallet: Wallet,
  { nonce, issuedAt, expiresAt, register }: PageParams<'identity/sign-in'>,
  client: Client,
): Promise<SignInResult> {
  return promptUser(wallet, signInPrompt(wallet), client, () => {
    if (client.userActivation !== 'new' && client.userActivation !== 'active') throw new ServiceError('click-first');
    checkTimes({ issuedAt, expiresAt }, wallet.now());
    return Promise.resolve({ nonce, issuedAt, expiresAt, register });
  });
}
