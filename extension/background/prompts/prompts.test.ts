/**
 * What holds for prompts of every kind: one window, its limits, asking again, withdrawal, expiry, blocking, one decision,
 * and a worker that is stopped anywhere. What only one kind does is tested beside it.
 */
import { describe, expect, test, vi } from 'vitest';
import type { PageMethod, PageParams } from '../../../protocol/page-messages.ts';
import type { PaymentOptions } from '../../../protocol/payment.ts';
import type { WalletParams } from '../../../protocol/wallet-messages.ts';
import type { PageSender } from '../page-handlers.ts';
import type { PromptKey } from './store.ts';
import { holdTime } from '../testing/clock.ts';
import { endAllWorkerRuns, type WorkerRun } from '../testing/worker-run.ts';
import { useNetwork } from '../testing/network.ts';
import { approvalOf, approvals, openWallet, PASSWORD, pay, stored } from '../testing/wallet.ts';

const network = useNetwork();

const ORIGIN = 'https://shop.example';
const TO = 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb';
type Decision = Omit<WalletParams<'approval/decide'>, 'approvalId'>;

interface Kind {
  name: string;
  /** The message that the page sends, or what the wallet asks for one: `n` tells one request from another. */
  request: (
    n: number,
    workerRun: WorkerRun,
    sender: PageSender,
  ) => { [M in PageMethod]: [M, PageParams<M>] }[PageMethod] | Promise<object>;
  /** Its questions are named after what they ask: they wait for their turn, and a page that was left may ask again. */
  named?: true;
  yes: Decision;
  declined: string;
  closed: string;
  /** Of the crash points of its run, every how many-th is tried: those of a payment are all in payment/crash.test.ts. */
  stride: number;
  /** How often there is what a yes brings: once, after one yes. */
  brought: (workerRun: WorkerRun, answer: unknown) => Promise<number>;
}

const requestOf = (options: PaymentOptions, n: number): PageParams<'payment/request'> => ({
  id: `request-${n}`,
  options,
});
/** When the sign-in's challenge was given, by the wallet's clock: the same at every question again. */
let issuedAt = 0;

const kinds: Kind[] = [
  {
    name: 'payment',
    request: (n) => ['payment/request', requestOf(pay(TO, 1000), n)],
    yes: { decision: 'pay' },
    declined: 'refused',
    closed: 'approval-closed',
    stride: 16,
    brought: async (workerRun, answer) =>
      (await stored(workerRun)).payments.filter(({ id, signed }) => signed && id === (answer as Answered).payment.id)
        .length,
  },
  {
    name: 'allowance',
    request: () => ['allowance/ask', { clientIdentifier: 'app' }],
    yes: { decision: 'grant', grant: { amount: '1', currency: 'BSV', period: 'week', perPayment: null, rate: null } },
    declined: 'allowance-refused',
    closed: 'allowance-refused',
    stride: 10,
    brought: async (workerRun, answer) =>
      (await (await workerRun.modules.database.database()).getAll('allowances')).filter(
        ({ id }) => id === (answer as { token: string }).token,
      ).length,
  },
  {
    name: 'sign-in',
    request: () => [
      'identity/sign-in',
      {
        nonce: 'nonce-0123456789abcdef',
        issuedAt: new Date(issuedAt).toISOString(),
        expiresAt: new Date(issuedAt + 600_000).toISOString(),
        register: null,
      },
    ],
    yes: { decision: 'sign' },
    declined: 'sign-in-refused',
    closed: 'sign-in-refused',
    stride: 10,
    brought: answersKept,
  },
  {
    name: 'operations',
    request: (n) => [
      'payment/request',
      requestOf(
        {
          outputs: [],
          cryptoOperations: [
            { name: 'sealed', method: 'encrypt', data: 'x' },
            { name: 'mark', method: 'sign', data: 'y' },
          ],
        },
        n,
      ),
    ],
    yes: { decision: 'sign' },
    declined: 'operation-refused',
    closed: 'operation-refused',
    stride: 10,
    brought: answersKept,
  },
  {
    name: 'permission',
    request: async (n, workerRun, sender) => {
      await workerRun.modules.permissions.requirePermission({ kind: 'basket', basket: `basket ${n}` }, sender);
      return {};
    },
    named: true,
    yes: { decision: 'permit' },
    declined: 'permission-refused',
    closed: 'permission-refused',
    stride: 10,
    // The connection comes with it.
    brought: async (workerRun) =>
      (await (await workerRun.modules.database.database()).getAll('permissions')).filter(
        ({ permission }) => permission.kind !== 'connect',
      ).length,
  },
];

interface Answered {
  payment: { id: string };
}

/** Of the kinds whose answer is all that a yes brings. */
async function answersKept(workerRun: WorkerRun): Promise<number> {
  const prompts = await (await workerRun.modules.database.database()).getAll('prompts');
  return prompts.filter(({ outcome }) => outcome !== null && 'answer' in outcome).length;
}

/** The page asks, as the router hands it on: the answer, or the code of the error. */
function ask(
  workerRun: WorkerRun,
  kind: Kind,
  { n = 1, ...by }: Partial<PageSender> & { n?: number } = {},
): Promise<unknown> {
  const sender: PageSender = {
    origin: ORIGIN,
    message: `message-${n}`,
    client: {},
    userActivation: 'new',
    isTop: true,
    ...by,
  };
  const request = kind.request(n, workerRun, sender);
  const answer = request instanceof Promise ? request : handled(workerRun, request, sender);
  return answer.catch((error: { code?: string }) => error.code ?? 'internal');
}

const handled = (workerRun: WorkerRun, [method, params]: [PageMethod, unknown], sender: PageSender) =>
  (workerRun.modules.pages.pageHandlers[method] as (p: unknown, s: PageSender) => Promise<unknown>)(params, sender);

const open = async (workerRun: WorkerRun) => (await workerRun.modules.promptStore.openPrompts())[0];
const read = (workerRun: WorkerRun, approvalId: string) =>
  workerRun.modules.handlers.walletHandlers['approval/read']({ approvalId });
const decide = (workerRun: WorkerRun, approvalId: string, decision: Decision): Promise<string> =>
  workerRun.modules.handlers.walletHandlers['approval/decide']({ approvalId, ...decision }).then(
    () => 'taken',
    (error: { code: string }) => error.code,
  );
const timeToRead = () => new Promise((resolve) => setTimeout(resolve, 520));
const NO: Decision = { decision: 'refuse' };

async function agree(workerRun: WorkerRun, approvalId: string, { yes }: Kind): Promise<string> {
  await read(workerRun, approvalId);
  await timeToRead();
  return decide(workerRun, approvalId, yes);
}

/** Waits until the worker has noted its window. */
const noted = (workerRun: WorkerRun) =>
  vi.waitFor(async () => expect((await open(workerRun))?.window.windowId).toEqual(expect.any(Number)), {
    timeout: 10_000,
  });

function closeAll(workerRun: WorkerRun): void {
  for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
}

/** Nothing is open, no coin is held, and nothing has left the wallet. */
async function expectNothing(workerRun: WorkerRun): Promise<void> {
  expect(await open(workerRun)).toBeUndefined();
  const { coins, payments } = await stored(workerRun);
  expect(coins.map(({ status }) => status)).toEqual(['available']);
  expect(payments.filter(({ unfinished, signed }) => unfinished !== 0 || signed)).toEqual([]);
  expect(network.broadcasts).toEqual([]);
  expect(JSON.stringify(await (await workerRun.modules.database.database()).getAll('prompts'))).not.toContain(
    '"answer"',
  );
}

describe.each(kinds)('a prompt of the kind $name', (kind) => {
  const wallet = async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    issuedAt = Date.now();
    return workerRun;
  };

  test('is shown, and answered after one approval; asked again, the answer is the same', async () => {
    const workerRun = await wallet();
    const answer = ask(workerRun, kind);
    const id = await approvalOf(workerRun);
    expect(await read(workerRun, id)).toMatchObject({
      kind: kind.name,
      origin: ORIGIN,
      locked: false,
      mayBlock: false,
    });
    expect(await agree(workerRun, id, kind)).toBe('taken');
    expect(typeof (await answer)).toBe('object');
    expect(JSON.stringify(await ask(workerRun, kind))).toBe(JSON.stringify(await ask(workerRun, kind)));
    expect(await kind.brought(workerRun, await answer)).toBe(1);
    expect(workerRun.profile.browser.windowsOpened).toBe(1);
  });

  test('requested twenty times with one id, is one prompt', async () => {
    const workerRun = await wallet();
    const answers = Array.from({ length: 20 }, () => ask(workerRun, kind));
    await agree(workerRun, await approvalOf(workerRun), kind);
    for (const answer of await Promise.all(answers)) expect(typeof answer).toBe('object');
    expect(await kind.brought(workerRun, await answers[0])).toBe(1);
    expect(workerRun.profile.browser.windowsOpened).toBe(1);
  });

  test('accepts no decision before there was time to read, while the wallet is locked, or from another kind’s window', async () => {
    const workerRun = await wallet();
    const answer = ask(workerRun, kind);
    const id = await approvalOf(workerRun);
    expect(await decide(workerRun, id, kind.yes)).toBe('too-soon');
    const goOn = holdTime();
    await read(workerRun, id);
    expect(await decide(workerRun, id, kind.yes)).toBe('too-soon');
    goOn();
    await workerRun.modules.vault.lock();
    await timeToRead();
    expect(await decide(workerRun, id, kind.yes)).toBe('wallet-locked');
    await workerRun.modules.vault.unlock(PASSWORD);
    for (const { yes } of kinds)
      if (yes.decision !== kind.yes.decision) expect(await decide(workerRun, id, yes)).toBe('approval-unknown');
    expect(await agree(workerRun, id, kind)).toBe('taken');
    expect(typeof (await answer)).toBe('object');
  });

  test('decided several times at once is decided once, and is unknown then', async () => {
    const workerRun = await wallet();
    const answer = ask(workerRun, kind);
    const id = await approvalOf(workerRun);
    await read(workerRun, id);
    await timeToRead();
    const codes = await Promise.all([kind.yes, kind.yes, kind.yes].map((yes) => decide(workerRun, id, yes)));
    expect(codes.sort()).toEqual(['approval-unknown', 'approval-unknown', 'taken']);
    expect(await kind.brought(workerRun, await answer)).toBe(1);
    for (const unknown of [id, '0'.repeat(32)]) {
      await expect(read(workerRun, unknown)).rejects.toMatchObject({ code: 'approval-unknown' });
      for (const decision of [kind.yes, NO])
        expect(await decide(workerRun, unknown, decision)).toBe('approval-unknown');
    }
  });

  test('ends with the user’s no', async () => {
    const workerRun = await wallet();
    const answer = ask(workerRun, kind);
    expect(await decide(workerRun, await approvalOf(workerRun), NO)).toBe('taken');
    expect(await answer).toBe(kind.declined);
    expect(await workerRun.modules.sites.readSite(ORIGIN)).toMatchObject({
      dismissals: 1,
      refusedAt: [expect.any(Number)],
    });
    await expectNothing(workerRun);
  });

  test('ends with its window', async () => {
    const workerRun = await wallet();
    const answer = ask(workerRun, kind);
    await approvalOf(workerRun);
    await noted(workerRun);
    closeAll(workerRun);
    expect(await answer).toBe(kind.closed);
    await expectNothing(workerRun);
  });

  test('ends with its window also where that is closed before the wallet noted which it is', async () => {
    const workerRun = await wallet();
    const { create } = workerRun.browserApi.windows;
    vi.spyOn(workerRun.browserApi.windows, 'create').mockImplementationOnce(async (what) => {
      const made = await create(what);
      workerRun.profile.browser.closeWindow(made.id);
      return made;
    });
    expect(await ask(workerRun, kind)).toBe(kind.closed);
    await expectNothing(workerRun);
  });

  test('whose window the browser does not open ends, and does not count among the windows', async () => {
    const workerRun = await wallet();
    const create = vi.spyOn(workerRun.browserApi.windows, 'create').mockRejectedValue(new Error('no window'));
    for (const n of [1, 2, 3, 4])
      expect(await ask(workerRun, kind, { origin: `https://${n}.example` })).toMatch(/internal|not-paid/);
    create.mockRestore();
    const answer = ask(workerRun, kind);
    await agree(workerRun, await approvalOf(workerRun), kind);
    expect(typeof (await answer)).toBe('object');
  });

  test('ends with the page that asked, and its window closes; with user activation it can be asked again, without it cannot', async () => {
    const workerRun = await wallet();
    const client = {};
    const answer = ask(workerRun, kind, { client });
    await approvalOf(workerRun);
    await noted(workerRun);
    const goOn = holdTime();
    await workerRun.modules.prompts.clientGone(client);
    expect(await answer).toBe('page-gone');
    expect(approvals(workerRun)).toEqual([]);
    expect(await workerRun.modules.sites.readSite(ORIGIN)).toMatchObject({ dismissals: 1, refusedAt: [] });
    await expectNothing(workerRun);
    const alone = await ask(workerRun, kind, { userActivation: 'active' });
    expect(alone).toBe(kind.named ? 'too-many-requests' : 'page-gone');
    goOn();
    const anew = ask(workerRun, kind, { userActivation: 'new' });
    await agree(workerRun, await approvalOf(workerRun), kind);
    expect(await kind.brought(workerRun, await anew)).toBe(1);
  });

  test('stays while another page of the site waits for it', async () => {
    const workerRun = await wallet();
    const [first, second] = [{}, {}];
    void ask(workerRun, kind, { client: first });
    const answer = ask(workerRun, kind, { client: second });
    const id = await approvalOf(workerRun);
    await noted(workerRun);
    const prompt = (await open(workerRun)) as PromptKey;
    await vi.waitFor(() => expect(workerRun.modules.prompts.waitersOf(prompt)).toBe(2));
    await workerRun.modules.prompts.clientGone(first);
    await agree(workerRun, id, kind);
    expect(typeof (await answer)).toBe('object');
  });

  test('has one window for its site and one of four in all, together with every other kind', async () => {
    const workerRun = await wallet();
    void ask(workerRun, kind);
    await approvalOf(workerRun);
    const exclusive = kinds.filter(({ named }) => !named);
    for (const other of exclusive) expect(await ask(workerRun, other, { n: 2 }), other.name).toBe('busy');
    for (const other of kinds) if (other.named) void ask(workerRun, other, { n: 2 });
    for (const [i, other] of kinds.slice(1, 4).entries()) {
      void ask(workerRun, other, { origin: `https://${i}.example` });
      await approvalOf(workerRun, i + 2);
    }
    expect(await ask(workerRun, kind, { origin: 'https://fifth.example' })).toBe('busy');
    expect(workerRun.profile.browser.windowsOpened).toBe(4);
    expect(await workerRun.modules.promptStore.openPrompts()).toHaveLength(4);
  });

  test('of a site that was dismissed has to wait without a new user activation, and is rejected while the site is blocked', async () => {
    const workerRun = await wallet();
    const first = ask(workerRun, kind);
    await decide(workerRun, await approvalOf(workerRun), NO);
    await first;
    closeAll(workerRun);
    const db = await workerRun.modules.database.database();
    const site = await db.get('sites', ORIGIN);
    const goOn = holdTime();
    if (site)
      await db.put('sites', { ...site, dismissals: 7, refusedAt: [Date.now(), Date.now()], endedAt: Date.now() });
    expect(await ask(workerRun, kind, { n: 2, userActivation: 'active' })).toBe('too-many-requests');
    goOn();
    const second = ask(workerRun, kind, { n: 2 });
    const id = await approvalOf(workerRun);
    expect(await read(workerRun, id)).toMatchObject({ mayBlock: true });
    await decide(workerRun, id, { ...NO, blockHours: 1 });
    expect(await second).toBe(kind.declined);
    closeAll(workerRun);
    expect(await ask(workerRun, kind, { n: 3 })).toBe('site-blocked');
    await workerRun.modules.sites.setBlock(ORIGIN, null);
    void ask(workerRun, kind, { n: 3 });
    await approvalOf(workerRun);
    expect(workerRun.profile.browser.windowsOpened).toBe(3);
  });

  test('ends with the browser', async () => {
    const workerRun = await wallet();
    void ask(workerRun, kind);
    await approvalOf(workerRun);
    workerRun.profile.browser.restart();
    const next = await workerRun.profile.start();
    next.browserApi.events.onStartup.tell();
    await vi.waitFor(async () => expect(await open(next)).toBeUndefined(), { timeout: 10_000 });
    expect(await ask(next, kind)).toBe(kind.closed);
    await expectNothing(next);
  });

  test('is withdrawn if no relay asks for it again after the worker was stopped', async () => {
    const workerRun = await wallet();
    void ask(workerRun, kind);
    await approvalOf(workerRun);
    await noted(workerRun);
    const next = await workerRun.profile.start();
    await vi.waitFor(async () => expect(await open(next)).toBeUndefined(), { timeout: 10_000 });
    await vi.waitFor(() => expect(approvals(next)).toEqual([]), { timeout: 10_000 });
    if (!kind.named) expect(await ask(next, kind, { userActivation: 'active' })).toBe('page-gone');
    await expectNothing(next);
  });

  test('needs a wallet', async () => {
    const workerRun = await wallet();
    await workerRun.modules.database.deleteKey('vault');
    expect(await ask(workerRun, kind)).toBe('wallet-not-set-up');
  });

  test('gives one answer where the worker is stopped at any crash point and the page asks again', async () => {
    const failures: string[] = [];
    // What the kinds share is tried at other crash points with each.
    const first = 1 + 2 * kinds.indexOf(kind);
    for (let n = first, crashPoints = Number.POSITIVE_INFINITY; n <= crashPoints; n += kind.stride) {
      network.reset();
      let workerRun = await wallet();
      workerRun.dieAt(n);
      let deaths = 0;
      let answer: unknown = null;
      while (answer === null || answer === 'payment-pending') {
        const current = workerRun;
        void agreeing(current, kind, () => typeof answer === 'object' && answer !== null);
        answer = await current.untilDeath(() => ask(current, kind));
        if (answer !== null) continue;
        deaths += 1;
        workerRun = await workerRun.profile.start();
      }
      if (deaths === 0) crashPoints = workerRun.crashPoints.length;
      if (workerRun.dead) workerRun = await workerRun.profile.start(); // as it answered
      const isWhole =
        typeof answer === 'object' && (await kind.brought(workerRun, answer)) === 1 && !(await open(workerRun));
      if (!isWhole) failures.push(`crash point ${n} (${workerRun.crashPoints.at(-1)}): ${JSON.stringify(answer)}`);
      endAllWorkerRuns();
    }
    expect(failures).toEqual([]);
  });

  test('keeps the window that a dying worker opened: it says whose it is, and no second one opens', async () => {
    const workerRun = await wallet();
    workerRun.dieAt('after windows.create');
    expect(await workerRun.untilDeath(() => ask(workerRun, kind))).toBeNull();
    const next = await workerRun.profile.start();
    expect((await open(next))?.window.windowId).toBeNull();
    const [left] = approvals(next) as [{ id: string; windowId: number }];
    await next.modules.handlers.walletHandlers['approval/read']({ approvalId: left.id }, { windowId: left.windowId });
    const answer = ask(next, kind);
    await noted(next);
    expect([next.profile.browser.windowsOpened, approvals(next)]).toEqual([1, [left]]);
    next.profile.browser.closeWindow(left.windowId);
    expect(await answer).toBe(kind.closed);
  });

  test('leaves nothing half-done where the worker is stopped at any crash point of a rejection', async () => {
    const failures: string[] = [];
    for (let n = 1, crashPoints = Number.POSITIVE_INFINITY; n <= crashPoints; n += 1) {
      const workerRun = await wallet();
      const answer = ask(workerRun, kind);
      const id = await approvalOf(workerRun);
      await noted(workerRun);
      workerRun.dieAt(n);
      await workerRun.untilDeath(() => decide(workerRun, id, { ...NO, blockHours: 1 }).then(() => answer));
      if (!workerRun.dead) crashPoints = workerRun.crashPoints.length;
      workerRun.end();
      const next = await workerRun.profile.start();
      const isOpen = (await open(next)) !== undefined;
      const isBlocked = ((await next.modules.sites.readSite(ORIGIN))?.blockedUntil ?? null) !== null;
      // The no, its block and the answer are there together, or the question is as it was.
      if (isOpen === isBlocked) failures.push(`crash point ${n}: open ${isOpen}, blocked ${isBlocked}`);
      const answered = kind.named ? 'site-blocked' : kind.declined;
      if (!isOpen && (await ask(next, kind)) !== answered) failures.push(`crash point ${n}: another answer`);
      endAllWorkerRuns();
    }
    expect(failures).toEqual([]);
  });
});

/** The user agrees to whatever is open, until this run is over. A run that was cut off has the user wait for ever. */
async function agreeing(workerRun: WorkerRun, kind: Kind, isOver: () => boolean): Promise<void> {
  while (!workerRun.dead && !isOver()) {
    for (const { id } of approvals(workerRun)) await agree(workerRun, id, kind).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
