/**
 * A site asks to sign in: the window, its decisions, what is signed, and what becomes of it when page, window or worker
 * go.
 */
import { BSM, PublicKey, Signature, Utils } from '@bsv/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { PageParams, PageResults } from '../../../protocol/page-messages.ts';
import { signInMessage } from '../../../protocol/sign-in-message.ts';
import type { SignInView } from '../../../protocol/wallet-messages.ts';
import { openDevnet } from '../../../server/devnet/devnet.ts';
import type { Client } from '../prompts/prompt.ts';
import { endAllLives, type Life } from '../testing/life.ts';
import { startNetwork, type TestNetwork } from '../testing/network.ts';
import { approvalOf, approvals, ask as askToPay, openWallet, PASSWORD, pay } from '../testing/wallet.ts';

let network: TestNetwork;
beforeAll(async () => {
  network = await startNetwork(openDevnet);
});
afterAll(() => network.close());
afterEach(() => {
  network.reset();
  endAllLives();
});

type Params = PageParams<'identity/sign-in'>;
type Answer = PageResults['identity/sign-in'];
const ORIGIN = 'https://shop.example';
const NONCE = 'nonce-0123456789abcdef';
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: { code?: string }) => error.code ?? error,
  );

/** Times that a server would give now, by the wallet's clock. */
function times(): Pick<Params, 'issuedAt' | 'expiresAt'> {
  const now = Date.now();
  return { issuedAt: new Date(now).toISOString(), expiresAt: new Date(now + 300_000).toISOString() };
}

/** The page asks: its answer, or the code of the error. */
function ask(life: Life, params: Partial<Params> = {}, by: Partial<Client> = {}): Promise<Answer | string> {
  return life.modules.signIn
    .askToSignIn(
      { nonce: NONCE, ...times(), register: null, ...params },
      { origin: ORIGIN, message: 'message-1', client: {}, userActivation: 'new', ...by },
    )
    .catch((error: { code: string }) => error.code);
}

/** What the window of a question shows. */
const read = async (life: Life, id: string) => (await life.modules.views.readPromptView(id)) as SignInView;

/** The user reads the window, takes the time that it asks for, and says yes. */
async function sign(life: Life, approvalId: string): Promise<void> {
  await read(life, approvalId);
  await new Promise((resolve) => setTimeout(resolve, 520));
  await life.modules.signIn.signSignInPrompt(approvalId);
}

/** Waits until the window's number is noted. */
const noted = (life: Life) =>
  vi.waitFor(
    async () => {
      const [open] = (await (await life.modules.database.database()).getAll('prompts')).filter(
        ({ outcome }) => outcome === null,
      );
      expect(open?.window.windowId).toEqual(expect.any(Number));
    },
    { timeout: 10_000 },
  );

/** Checks a signature with another implementation. */
const isSigned = (text: string, { signature, publicKey }: Answer) =>
  BSM.verify(Utils.toArray(text, 'utf8'), Signature.fromCompact(signature, 'base64'), PublicKey.fromString(publicKey));

describe('a site that asks to sign in', () => {
  test('gets a signature of the text that the wallet wrote: with the origin that the browser names, and its own keys', async () => {
    const life = await openWallet(network, []);
    const given = times();
    const answer = ask(life, given);
    const id = await approvalOf(life);
    const view = await read(life, id);
    const { identity } = await life.modules.vault.publicKeys();
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
    await sign(life, id);
    const signed = (await answer) as Answer;
    expect(signed).toMatchObject({ publicKey: identity, receivingXpub: null });
    expect(isSigned(text, signed)).toBe(true);
    // At another site it says nothing.
    expect(isSigned(text.replaceAll('shop.example', 'bank.example'), signed)).toBe(false);
    expect(life.profile.browser.windowsOpened).toBe(1);
  });

  test('for an account gets the xpub that stands in the text as well, and cannot name another', async () => {
    const life = await openWallet(network, []);
    const given = times();
    const answer = ask(life, { ...given, register: { handle: 'ada', name: 'Ada' } });
    const id = await approvalOf(life);
    const { identity, serviceXpub } = await life.modules.vault.publicKeys();
    const text = signInMessage({
      origin: ORIGIN,
      publicKey: identity,
      register: { handle: 'ada', name: 'Ada', receivingXpub: serviceXpub },
      nonce: NONCE,
      ...given,
    });
    expect(await read(life, id)).toMatchObject({ register: { handle: 'ada', name: 'Ada' }, text });
    await sign(life, id);
    const signed = (await answer) as Answer;
    expect(signed.receivingXpub).toBe(serviceXpub);
    expect(isSigned(text, signed)).toBe(true);
  });

  test('that is the wallet’s own service sees the account named in the window; another site does not', async () => {
    const life = await openWallet(network, []);
    const account = { id: '7', handle: 'ada', paymail: 'ada@localhost', name: 'Ada' };
    await life.modules.database.writeKey('account', account);
    const own = ask(life, {}, { origin: network.url });
    expect(await read(life, await approvalOf(life))).toMatchObject({ account });
    await life.modules.questions.rejectPrompt(await approvalOf(life), null);
    await own;
    for (const { windowId } of approvals(life)) life.profile.browser.closeWindow(windowId);
    void ask(life, {}, { message: 'message-2' });
    expect(await read(life, await approvalOf(life))).toMatchObject({ account: null, origin: ORIGIN });
  });

  test('is told so when the user refuses or closes the window, and has nothing', async () => {
    const life = await openWallet(network, []);
    const refused = ask(life);
    await life.modules.questions.rejectPrompt(await approvalOf(life), null);
    expect(await refused).toBe('sign-in-refused');
    for (const { windowId } of approvals(life)) life.profile.browser.closeWindow(windowId);
    const closed = ask(life, {}, { message: 'message-2' });
    await approvalOf(life);
    await noted(life);
    life.profile.browser.closeWindow(approvals(life)[0]?.windowId ?? 0);
    expect(await closed).toBe('sign-in-refused');
    expect(JSON.stringify(await (await life.modules.database.database()).getAll('prompts'))).not.toContain('signature');
  });

  test('gets no decision before there was time to read, nor while the wallet is locked, nor twice, nor another kind of yes', async () => {
    const life = await openWallet(network, []);
    const answer = ask(life);
    const id = await approvalOf(life);
    const { asks, questions, signIn, views, vault, handlers } = life.modules;
    expect(await codeOf(signIn.signSignInPrompt(id))).toBe('too-soon');
    await read(life, id);
    expect(await codeOf(signIn.signSignInPrompt(id))).toBe('too-soon');
    await vault.lock();
    await new Promise((resolve) => setTimeout(resolve, 520));
    expect(await codeOf(signIn.signSignInPrompt(id))).toBe('wallet-locked');
    await vault.unlock(PASSWORD);
    expect(
      await codeOf(asks.grantAllowancePrompt(id, { currency: 'USD', limit: 1n, perPayment: null, period: 'day' })),
    ).toBe('approval-unknown');
    expect(await codeOf(handlers.walletHandlers['approval/decide']({ approvalId: id, decision: 'pay' }))).toBe(
      'approval-unknown',
    );
    expect((await Promise.all([1, 2, 3].map(() => codeOf(signIn.signSignInPrompt(id))))).sort()).toEqual([
      'approval-unknown',
      'approval-unknown',
      'none',
    ]);
    await answer;
    for (const unknown of [id, '0'.repeat(32)]) {
      expect(await codeOf(views.readPromptView(unknown))).toBe('approval-unknown');
      expect(await codeOf(questions.rejectPrompt(unknown, null))).toBe('approval-unknown');
      expect(await codeOf(signIn.signSignInPrompt(unknown))).toBe('approval-unknown');
    }
  });

  test('has one window, together with its payments and allowances', async () => {
    const life = await openWallet(network, [1_000_000]);
    const answer = ask(life);
    await approvalOf(life);
    expect(await ask(life, {}, { message: 'message-2' })).toBe('busy');
    expect(await askToPay(life, 'request-1', pay('mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb', 1000))).toBe('busy');
    expect(
      await codeOf(
        life.modules.asks.askForAllowance(
          { clientIdentifier: 'app' },
          { origin: ORIGIN, message: 'message-3', client: {}, userActivation: 'new' },
        ),
      ),
    ).toBe('busy');
    for (const n of [2, 3, 4]) {
      void ask(life, {}, { origin: `https://${n}.example` });
      await approvalOf(life, n);
    }
    expect(await ask(life, {}, { origin: 'https://5.example' })).toBe('busy');
    expect(life.profile.browser.windowsOpened).toBe(4);
    await life.modules.questions.rejectPrompt(approvals(life)[0]?.id ?? '', null);
    expect(await answer).toBe('sign-in-refused');
  });

  test('asked twenty times under one name is one question with one answer; the name of another question is refused', async () => {
    const life = await openWallet(network, []);
    const answers = Array.from({ length: 20 }, () => ask(life));
    await sign(life, await approvalOf(life));
    expect(new Set((await Promise.all(answers)).map((one) => JSON.stringify(one))).size).toBe(1);
    expect(life.profile.browser.windowsOpened).toBe(1);
    expect(
      await codeOf(
        life.modules.asks.askForAllowance(
          { clientIdentifier: 'app' },
          { origin: ORIGIN, message: 'message-1', client: {}, userActivation: 'new' },
        ),
      ),
    ).toBe('invalid-request');
  });

  test('and goes takes its question and window with it', async () => {
    const life = await openWallet(network, []);
    const client = {};
    const answer = ask(life, {}, { client });
    await approvalOf(life);
    await noted(life);
    await life.modules.questions.promptClientGone(client);
    expect(await answer).toBe('page-gone');
    expect(approvals(life)).toEqual([]);
  });

  test('without a person’s act in a page of its own is refused, and no window opens', async () => {
    const life = await openWallet(network, []);
    for (const userActivation of ['none', 'embedded'] as const)
      expect(await ask(life, {}, { userActivation })).toBe('click-first');
    expect(life.profile.browser.windowsOpened).toBe(0);
  });

  test('with a text from another time is refused, and no window opens', async () => {
    const life = await openWallet(network, []);
    expect(await ask(life, { issuedAt: '2020-01-01T00:00:00Z', expiresAt: '2020-01-01T00:05:00Z' })).toBe(
      'invalid-challenge',
    );
    expect(await ask(life, { expiresAt: new Date(Date.now() + 3600_000).toISOString() })).toBe('invalid-challenge');
    expect(life.profile.browser.windowsOpened).toBe(0);
  });

  test('gets nothing once its text is over, and is told', async () => {
    const life = await openWallet(network, []);
    const answer = ask(life);
    const id = await approvalOf(life);
    await read(life, id);
    vi.mocked(Date.now).mockImplementation(
      (
        (before) => () =>
          before + 600_000
      )(Date.now()),
    );
    expect(await codeOf(life.modules.signIn.signSignInPrompt(id))).toBe('invalid-challenge');
    expect(await answer).toBe('invalid-challenge');
  });

  test('that was refused has to wait, and is not heard while it is blocked', async () => {
    const life = await openWallet(network, []);
    const answer = ask(life);
    await life.modules.handlers.walletHandlers['approval/decide']({
      approvalId: await approvalOf(life),
      decision: 'refuse',
      blockHours: 1,
    });
    expect(await answer).toBe('sign-in-refused');
    for (const { windowId } of approvals(life)) life.profile.browser.closeWindow(windowId);
    expect(await ask(life, {}, { message: 'message-2' })).toBe('site-blocked');
    await life.modules.sites.setBlock(ORIGIN, null);
    for (let i = 0; i < 6; i += 1)
      await life.modules.database.inTransaction((tx) => life.modules.sites.recordRejection(tx, ORIGIN, 'user'));
    expect(await ask(life, {}, { message: 'message-3', userActivation: 'active' })).toBe('too-many-requests');
    expect(life.profile.browser.windowsOpened).toBe(1);
  });

  test('needs a wallet', async () => {
    const life = await openWallet(network, []);
    await life.modules.database.deleteKey('vault');
    expect(await ask(life)).toBe('wallet-not-set-up');
  });
});

describe('when the worker is stopped', () => {
  test('at any border, asking again finds the question or its answer, of which there is one', async () => {
    const failures: string[] = [];
    for (let n = 1, borders = Number.POSITIVE_INFINITY; n <= borders; n += 1) {
      let life = await openWallet(network, []);
      const given = times();
      life.dieAt(n);
      let deaths = 0;
      let answer: Answer | string | null = null;
      while (answer === null) {
        const current = life;
        const user = async () => {
          const taken = new Set<string>();
          while (!current.dead && answer === null) {
            for (const { id } of approvals(current))
              if (!taken.has(id))
                await sign(current, id).then(
                  () => taken.add(id),
                  () => undefined,
                );
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
        };
        void user();
        answer = await Promise.race([ask(current, given), current.died.then(() => null)]);
        if (answer === null) {
          deaths += 1;
          life = await life.profile.start();
        }
      }
      if (deaths === 0) borders = life.borders.length;
      const stored = await (await life.modules.database.database()).getAll('prompts');
      const isWhole =
        stored.length === 1 &&
        typeof answer === 'object' &&
        JSON.stringify(stored[0]?.outcome) === JSON.stringify({ answer });
      if (!isWhole) failures.push(`border ${n}: ${JSON.stringify(answer)}, ${JSON.stringify(stored)}`);
      endAllLives();
    }
    expect(failures).toEqual([]);
  });

  test('and nobody asks again, it is withdrawn', async () => {
    const life = await openWallet(network, []);
    void ask(life);
    await approvalOf(life);
    await noted(life);
    const next = await life.profile.start();
    await vi.waitFor(
      async () =>
        expect((await (await next.modules.database.database()).getAll('prompts'))[0]?.outcome).toMatchObject({
          error: { code: 'page-gone' },
        }),
      { timeout: 10_000 },
    );
    await vi.waitFor(() => expect(approvals(next)).toEqual([]), { timeout: 10_000 });
  });

  test('with the browser, it is over', async () => {
    const life = await openWallet(network, []);
    void ask(life);
    await approvalOf(life);
    life.profile.browser.restart();
    const next = await life.profile.start();
    next.browserApi.events.onStartup.tell();
    await vi.waitFor(
      async () =>
        expect((await (await next.modules.database.database()).getAll('prompts'))[0]?.outcome).toMatchObject({
          error: { code: 'sign-in-refused' },
        }),
      { timeout: 10_000 },
    );
  });
});
