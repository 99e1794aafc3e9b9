/**
 * A site's sign-in requests: the window, decisions and the signed text, and what happens if the page, window or worker
 * disappears.
 */
import { BSM, PublicKey, Signature, Utils } from '@bsv/sdk';
import { describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import type { PageParams, PageResults } from '../../protocol/messages/page-messages.ts';
import { signInMessage } from '../../protocol/signed-messages/sign-in-message.ts';
import type { SignInView } from '../../protocol/messages/wallet-messages.ts';
import type { Client } from '../prompts/request.ts';
import type { WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { approvalOf, approvals, approve, decline, openWallet } from '../../testkit/wallet/wallet.ts';
import { wallet } from '../../testkit/wallet/current.ts';
import { timeToRead } from '../../testkit/wallet/clock.ts';

const network = useNetwork();

type Params = PageParams<'identity/sign-in'>;
type SignInResult = PageResults['identity/sign-in'];
const ORIGIN = 'https://shop.example';
const NONCE = 'nonce-0123456789abcdef';

/** Returns the times that a server with the wallet's clock would set now. */
function times(): Pick<Params, 'issuedAt' | 'expiresAt'> {
  const now = Date.now();
  return { issuedAt: new Date(now).toISOString(), expiresAt: new Date(now + 300_000).toISOString() };
}

function ask(
  workerRun: WorkerRun,
  params: Partial<Params> = {},
  by: Partial<Client> = {},
): Promise<SignInResult | string> {
  return workerRun.modules.signIn
    .promptSignIn(
      wallet,
      { nonce: NONCE, ...times(), register: null, ...params },
      { origin: ORIGIN, message: 'message-1', client: {}, userActivation: 'new', ...by },
    )
    .catch((error: { code: string }) => error.code);
}

const read = async (workerRun: WorkerRun, id: string) =>
  (await workerRun.modules.decide.viewPrompt(wallet, id)) as SignInView;

/** Reads the window as the user would, waits the required time, and approves. */
async function sign(workerRun: WorkerRun, approvalId: string): Promise<void> {
  await read(workerRun, approvalId);
  await timeToRead();
  await approve(workerRun, approvalId, { decision: 'sign' });
}

const isSigned = (text: string, { signature, publicKey }: SignInResult) =>
  BSM.verify(Utils.toArray(text, 'utf8'), Signature.fromCompact(signature, 'base64'), PublicKey.fromString(publicKey));

describe('a site that requests a sign-in', () => {
  test('the site gets a signature of the text that the wallet wrote, with the browser-verified origin, and its own keys', async () => {
    const workerRun = await openWallet(network, []);
    const given = times();
    const answer = ask(workerRun, given);
    const id = await approvalOf(workerRun);
    const view = await read(workerRun, id);
    const { identity } = await workerRun.modules.vault.publicKeys(wallet);
    const text = signInMessage({ origin: ORIGIN, publicKey: identity, nonce: NONCE, ...given });
    expect(view).toMatchObject({
      kind: 'sign-in',
      origin: ORIGIN,
      serviceUrl: network.url,
      register: null,
      account: null,
      publicKey: identity,
      text,
      locked: false,
      mayBlock: false,
    });
    await sign(workerRun, id);
    const signed = (await answer) as SignInResult;
    expect(signed).toMatchObject({ publicKey: identity, receivingXpub: null });
    expect(isSigned(text, signed)).toBe(true);
    // The signature is invalid for a different site.
    expect(isSigned(text.replaceAll('shop.example', 'bank.example'), signed)).toBe(false);
    expect(workerRun.profile.browser.windowsOpened).toBe(1);
  });

  test('a request for an account also gets the xpub that the text contains, and can’t contain another', async () => {
    const workerRun = await openWallet(network, []);
    const given = times();
    const answer = ask(workerRun, { ...given, register: { handle: 'ada', name: 'Ada' } });
    const id = await approvalOf(workerRun);
    const { identity, serviceXpub } = await workerRun.modules.vault.publicKeys(wallet);
    const text = signInMessage({
      origin: ORIGIN,
      publicKey: identity,
      register: { handle: 'ada', name: 'Ada', receivingXpub: serviceXpub },
      nonce: NONCE,
      ...given,
    });
    expect(await read(workerRun, id)).toMatchObject({ register: { handle: 'ada', name: 'Ada' }, text });
    await sign(workerRun, id);
    const signed = (await answer) as SignInResult;
    expect(signed.receivingXpub).toBe(serviceXpub);
    expect(isSigned(text, signed)).toBe(true);
  });

  test('the window shows the account if the wallet’s own service requests the sign-in, and not if another site does', async () => {
    const workerRun = await openWallet(network, []);
    const account = { id: '7', handle: 'ada', paymail: 'ada@localhost', name: 'Ada' };
    await workerRun.modules.database.writeKey(wallet, 'account', account);
    const own = ask(workerRun, {}, { origin: network.url });
    expect(await read(workerRun, await approvalOf(workerRun))).toMatchObject({ account });
    await decline(workerRun, await approvalOf(workerRun));
    await own;
    for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
    void ask(workerRun, {}, { message: 'message-2' });
    expect(await read(workerRun, await approvalOf(workerRun))).toMatchObject({ account: null, origin: ORIGIN });
  });

  test('a request without a user gesture in a top-level page is rejected, and no window opens', async () => {
    const workerRun = await openWallet(network, []);
    for (const userActivation of ['none', 'embedded'] as const)
      expect(await ask(workerRun, {}, { userActivation })).toBe('click-first');
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
  });

  test('a request with a text from another time is rejected, and no window opens', async () => {
    const workerRun = await openWallet(network, []);
    expect(await ask(workerRun, { issuedAt: '2020-01-01T00:00:00Z', expiresAt: '2020-01-01T00:05:00Z' })).toBe(
      'invalid-challenge',
    );
    expect(await ask(workerRun, { expiresAt: new Date(Date.now() + 3600_000).toISOString() })).toBe(
      'invalid-challenge',
    );
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
  });

  test('a site gets only an error once its text has expired', async () => {
    const workerRun = await openWallet(network, []);
    const answer = ask(workerRun);
    const id = await approvalOf(workerRun);
    await read(workerRun, id);
    vi.mocked(Date.now).mockImplementation(
      (
        (before) => () =>
          before + 600_000
      )(Date.now()),
    );
    expect(await codeOf(approve(workerRun, id, { decision: 'sign' }))).toBe('invalid-challenge');
    expect(await answer).toBe('invalid-challenge');
  });
});
