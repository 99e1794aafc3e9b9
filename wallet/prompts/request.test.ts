/** The lifecycle of a page's prompt: shown once, withdrawn with its page, and resumed by a repeated request. */
import { describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { ORIGIN, START, usePrompts, type Details } from '../../testkit/wallet/prompts.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const prompts = usePrompts();

const key = (message: string, origin = ORIGIN) => ({ origin, message });
const answer = async (message: string, text = 'yes') => {
  const prompt = await prompts.shown(message);
  await prompts.resolvePrompt(wallet, prompt, () => text);
};
const prepared = (subject = 'it') => vi.fn(async (): Promise<Details> => ({ subject }));

describe('requests for a prompt', () => {
  test('a request throws wallet-not-set-up without a wallet', async () => {
    await prompts.database.deleteKey(wallet, 'vault');
    const prepare = prepared();
    expect(await prompts.request('a', { prepare })).toBe('wallet-not-set-up');
    expect(prepare).not.toHaveBeenCalled();
  });

  test('a request stores no prompt if the wallet is removed while the prompt is being prepared', async () => {
    const prepare = async () => {
      await prompts.database.emptyStores(wallet, () => Promise.resolve(true));
      return { subject: 'it' };
    };
    expect(await prompts.request('a', { prepare })).toBe('wallet-not-set-up');
    expect(await (await prompts.database.database(wallet)).count('prompts')).toBe(0);
    expect(prompts.browser.windowsOpened).toBe(0);
  });

  test('concurrent requests with one name share one prompt, which is prepared once', async () => {
    const prepare = prepared();
    const answers = [1, 2, 3].map(() => prompts.request('a', { prepare }));
    await answer('a');
    expect(await Promise.all(answers)).toEqual(['yes', 'yes', 'yes']);
    expect([prepare.mock.calls.length, prompts.browser.windowsOpened]).toEqual([1, 1]);
  });

  test.each(['new', 'active', 'none'] as const)(
    'a repeated request gets the same response, with user activation %s',
    async (userActivation) => {
      void prompts.request('a');
      await answer('a');
      const prepare = prepared();
      expect(await prompts.request('a', { userActivation, prepare })).toBe('yes');
      expect(prepare).not.toHaveBeenCalled();
      expect(prompts.browser.windowsOpened).toBe(1);
    },
  );

  test('a repeated request gets the same rejection, regardless of user activation', async () => {
    const first = prompts.request('a');
    await prompts.rejectPrompt(wallet, (await prompts.shown('a')).window.id);
    expect(await first).toBe('sign-in-refused');
    expect(await prompts.request('a')).toBe('sign-in-refused');
    expect(prompts.browser.windowsOpened).toBe(1);
  });

  test('an ended prompt is shown again if its kind allows that', async () => {
    await prompts.put('a', { outcome: { answer: 'first' } });
    const isPromptedAgain = vi.fn(() => true);
    const anew = prompts.request('a', { isPromptedAgain });
    await answer('a', 'second');
    expect(await anew).toBe('second');
    expect(isPromptedAgain).toHaveBeenCalledWith(expect.objectContaining({ outcome: { answer: 'first' } }));
  });

  test("a repeated request joins the open prompt, regardless of its kind's rule for later requests", async () => {
    await prompts.put('a');
    const prepare = prepared();
    const asked = prompts.request('a', { isPromptedAgain: () => true, prepare });
    await answer('a');
    expect(await asked).toBe('yes');
    expect(prepare).not.toHaveBeenCalled();
  });

  test('the page gets the error that ended its prompt', async () => {
    const asked = prompts.promptUser(
      wallet,
      prompts.plain,
      { ...key('a'), client: {}, userActivation: 'new' },
      async () => ({
        subject: 'a',
      }),
    );
    await prompts.shown('a');
    await prompts.endPrompt(wallet, key('a'), new ServiceError('rate-unavailable', { message: 'No rate for EUR.' }));
    await expect(asked).rejects.toMatchObject({ code: 'rate-unavailable', message: 'No rate for EUR.' });
  });

  test('a prompt whose page was left is shown again only after a new user gesture', async () => {
    const client = {};
    const first = prompts.request('a', { client });
    await prompts.shown('a');
    await prompts.withdrawClient(wallet, client);
    expect(await first).toBe('page-gone');
    expect(await prompts.request('a', { userActivation: 'active' })).toBe('page-gone');
    const second = prompts.request('a');
    await answer('a');
    expect(await second).toBe('yes');
  });

  test('a prompt stored under its name during preparation is kept', async () => {
    const prepare = async () => {
      await prompts.put('a', { details: { subject: 'the other' } });
      return { subject: 'mine' };
    };
    const asked = prompts.request('a', { prepare });
    await answer('a');
    expect(await asked).toBe('yes');
    expect((await prompts.read('a'))?.details).toEqual({ subject: 'the other' });
  });

  test('nothing is stored if the preparation is rejected', async () => {
    const prepare = async () => Promise.reject(Object.assign(new Error(), { code: 'invalid-challenge' }));
    expect(await prompts.request('a', { prepare })).toBe('invalid-challenge');
    expect(await prompts.read('a')).toBeUndefined();
  });

  test("the name of another kind's prompt is rejected, and no window opens", async () => {
    await prompts.put('a');
    expect(await prompts.request('a', { kind: prompts.full })).toBe('invalid-request');
    expect(prompts.browser.windowsOpened).toBe(0);
    expect((await prompts.read('a'))?.outcome).toBeNull();
  });

  test("another request under a prompt's name is rejected, and the prompt and its callers stay", async () => {
    const client = {};
    const first = prompts.request('a', { client });
    await prompts.shown('a');
    const isSame = vi.fn(() => false);
    expect(await prompts.request('a', { isSame })).toBe('request-id-reused');
    expect(isSame).toHaveBeenCalledWith({ subject: 'a' });
    expect((await prompts.read('a'))?.outcome).toBeNull();
    expect([prompts.isAwaited(wallet, key('a')), prompts.waitersOf(wallet, key('a'))]).toEqual([true, 1]);
    await prompts.withdrawClient(wallet, client);
    expect(await first).toBe('page-gone');
  });

  test('responses are deleted ten minutes after the decision, and open prompts stay', async () => {
    await prompts.put('old', { createdAt: START - 600_001, outcome: { answer: 'x' } });
    await prompts.put('young', { createdAt: START - 600_000, outcome: { answer: 'x' } });
    await prompts.put('decided', { createdAt: START - 900_000, endedAt: START - 600_000, outcome: { answer: 'x' } });
    await prompts.put('open', { origin: 'https://other.example', createdAt: START - 3_600_000 });
    void prompts.request('a');
    await prompts.shown('a');
    const left = await (await prompts.database.database(wallet)).getAllKeys('prompts');
    expect(left.map(([, message]) => message)).toEqual(['open', 'a', 'decided', 'young']);
  });
});

describe('a page that is left', () => {
  test("a page that was left can't open a prompt", async () => {
    const client = {};
    expect(prompts.isClientGone(wallet, client)).toBe(false);
    await prompts.withdrawClient(wallet, client);
    expect(prompts.isClientGone(wallet, client)).toBe(true);
    const prepare = prepared();
    expect(await prompts.request('a', { client, prepare })).toBe('page-gone');
    expect(prepare).not.toHaveBeenCalled();
    expect(await prompts.read('a')).toBeUndefined();
  });

  test('leaving a page during preparation withdraws its prompt and window', async () => {
    const client = {};
    const prepare = async () => {
      await prompts.withdrawClient(wallet, client);
      return { subject: 'a' };
    };
    expect(await prompts.request('a', { client, prepare })).toBe('page-gone');
    expect(prompts.browser.windows.size).toBe(0);
    expect((await prompts.read('a'))?.outcome).toEqual({ error: expect.objectContaining({ code: 'page-gone' }) });
  });

  test('leaving a page withdraws only its prompts, and counts against the site', async () => {
    const [client, other] = [{}, {}];
    const [one, two] = [
      prompts.request('a', { client }),
      prompts.request('b', { client, origin: 'https://b.example' }),
    ];
    void prompts.request('c', { client: other, origin: 'https://c.example' });
    await prompts.shown('a');
    await prompts.shown('b', 'https://b.example');
    const { window } = await prompts.shown('c', 'https://c.example');
    await prompts.withdrawClient(wallet, client);
    expect(await Promise.all([one, two])).toEqual(['page-gone', 'page-gone']);
    expect([...prompts.browser.windows.keys()]).toEqual([window.windowId]);
    expect(await prompts.sites.readSite(wallet, ORIGIN)).toMatchObject({ dismissals: 1, refusedAt: [] });
    expect(await prompts.sites.readSite(wallet, 'https://c.example')).toBeUndefined();
    expect([prompts.isAwaited(wallet, key('a')), prompts.isAwaited(wallet, key('c', 'https://c.example'))]).toEqual([
      false,
      true,
    ]);
  });

  test('a prompt stays while another page waits for it', async () => {
    const [client, other] = [{}, {}];
    void prompts.request('a', { client });
    const second = prompts.request('a', { client: other });
    await vi.waitFor(async () => expect(prompts.waitersOf(wallet, key('a'))).toBe(2));
    await prompts.shown('a');
    await prompts.withdrawClient(wallet, client);
    expect([prompts.waitersOf(wallet, key('a')), (await prompts.read('a'))?.outcome]).toEqual([1, null]);
    await prompts.withdrawClient(wallet, other);
    expect(await second).toBe('page-gone');
    expect([prompts.waitersOf(wallet, key('a')), prompts.isAwaited(wallet, key('a'))]).toEqual([0, false]);
  });

  test('leaving a page that waits for no prompt withdraws none', async () => {
    void prompts.request('a');
    await prompts.shown('a');
    await prompts.withdrawClient(wallet, {});
    expect((await prompts.read('a'))?.outcome).toBeNull();
  });
});

describe('a prompt without callers', () => {
  test('a prompt of an earlier run is withdrawn without counting against the site', async () => {
    void prompts.request('a');
    await prompts.shown('a');
    await prompts.put('left', { origin: 'https://b.example', createdAt: START - 1 });
    const windowId = await prompts.openWindow(wallet, 'x');
    const window = { ...prompts.newWindow(wallet), windowId };
    await prompts.put('left too', { origin: 'https://c.example', createdAt: START - 5, window });
    await prompts.put('new', { origin: 'https://d.example', createdAt: START });
    await prompts.put('answered', { origin: 'https://d.example', createdAt: START - 600_001, outcome: { answer: '' } });
    // A page is waiting for this prompt, so it isn't withdrawn despite its age.
    await prompts.put('a', { createdAt: START - 10 });
    await prompts.withdrawAbandoned(wallet, START);
    expect((await prompts.openPrompts(wallet)).map(({ message }) => message).sort()).toEqual(['a', 'new']);
    expect((await prompts.read('left', 'https://b.example'))?.outcome).toMatchObject({ error: { code: 'page-gone' } });
    expect(prompts.browser.windows.has(windowId as number)).toBe(false);
    expect(await prompts.read('answered', 'https://d.example')).toBeUndefined();
    expect(await prompts.sites.readSite(wallet, 'https://b.example')).toBeUndefined();
  });

  test("an answered prompt isn't withdrawn", async () => {
    const ended = await prompts.put('a', { outcome: { answer: 'yes' } });
    await prompts.withdraw(wallet, ended, 'page');
    expect((await prompts.read('a'))?.outcome).toEqual({ answer: 'yes' });
    expect(await prompts.sites.readSite(wallet, ORIGIN)).toBeUndefined();
  });
});

test('waiting pages are notified when the store is emptied', async () => {
  const asked = prompts.request('a');
  await prompts.shown('a');
  await (await prompts.database.database(wallet)).clear('prompts');
  prompts.wakeCallers(wallet);
  expect(await asked).toBe('page-gone');
});

describe('calls with one name', () => {
  test('concurrent calls with one name share the result of the first', async () => {
    const run = vi.fn(async () => run.mock.calls.length);
    expect(
      await Promise.all([
        prompts.shared(wallet, 'x', run),
        prompts.shared(wallet, 'x', run),
        prompts.shared(wallet, 'y', run),
      ]),
    ).toEqual([1, 1, 2]);
    expect(await prompts.shared(wallet, 'x', run)).toBe(3);
  });

  test('a call after a failed one runs again', async () => {
    await expect(prompts.shared(wallet, 'x', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await prompts.shared(wallet, 'x', async () => 'fine')).toBe('fine');
  });
});
