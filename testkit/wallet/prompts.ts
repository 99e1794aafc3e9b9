/** Prompts of two test kinds, over a memory database, without coins, network or service. */
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import type { UserActivation } from '../../protocol/messages/page-messages.ts';
import { TestBrowser } from './browser.ts';
import { setTime } from './clock.ts';
import { newDatabases, useDatabases } from './memory-database.ts';
import type { PromptKind } from '../../wallet/prompts/kinds.ts';
import type { Prompt } from '../../wallet/prompts/prompt.ts';
import { useWallet, wallet } from './current.ts';
import { testPlatform } from './platform.ts';

/** A site. */
export const ORIGIN = 'https://shop.example';
/** The time at which each test begins, milliseconds since 1970. It passes only if a test advances it. */
export const START = Date.UTC(2026, 0, 1);

/** The details of the kinds: `secret` only while the prompt is open, in the second kind. */
export interface Details {
  subject: string;
  secret?: string;
}

/** A kind with only the required parts. */
const plainKind: PromptKind<Details, string> = {
  name: 'sign-in',
  approvedBy: 'sign',
  declined: 'sign-in-refused',
  view: async ({ details }, locked) => ({ kind: 'sign-in', text: details.subject, wasLocked: locked }) as never,
  approve: async () => undefined,
};

async function loadModules() {
  // Sequential, because mocks that were just set must be in place before anything uses them.
  const [badge, ask, decide, kinds, show, store, windows, database, events, sites, session] = await Promise.all([
    import('../../wallet/prompts/badge.ts'),
    import('../../wallet/prompts/request.ts'),
    import('../../wallet/prompts/decide.ts'),
    import('../../wallet/prompts/kinds.ts'),
    import('../../wallet/prompts/show.ts'),
    import('../../wallet/prompts/store.ts'),
    import('../../wallet/prompts/show.ts'),
    import('../../wallet/store/database.ts'),
    import('../../wallet/events.ts'),
    import('../../wallet/sites/store.ts'),
    import('../../wallet/vault/session.ts'),
  ]);
  return {
    ...badge,
    ...ask,
    ...decide,
    ...kinds,
    ...show,
    ...store,
    ...windows,
    database,
    events,
    sites,
    session,
  };
}

type Modules = Awaited<ReturnType<typeof loadModules>>;

export interface Prompts extends Modules {
  browser: TestBrowser;
  api: ReturnType<TestBrowser['api']>;
  plain: PromptKind<Details, string>;
  /** A kind that drops some details afterwards, and is notified of the user's rejection. */
  full: PromptKind<Details, string>;
  /** A kind with a separate record. */
  recorded: PromptKind<Details, string>;
  /** The page's request: returns the response, or the code of the error. */
  request: (message: string, by?: Asking) => Promise<string>;
  /** Stores a prompt, as it is while no page waits for it. */
  put: (message: string, more?: Partial<Prompt>) => Promise<Prompt>;
  /** The prompt with a message name, once its window is recorded. */
  shown: (message: string, origin?: string) => Promise<Prompt & { window: { windowId: number } }>;
  read: (message: string, origin?: string) => Promise<Prompt | undefined>;
  unlock: () => Promise<void>;
}

/** The caller of a request, for tests about it. */
export interface Asking {
  origin?: string;
  client?: object;
  userActivation?: UserActivation;
  kind?: PromptKind<Details, string>;
  prepare?: () => Promise<Details>;
  isSame?: (details: Details) => boolean;
  isPromptedAgain?: (ended: Prompt<Details, string>) => boolean;
}

/** The state of each test: an empty store, no windows, and the wallet locked. */
export function usePrompts(): Prompts {
  const prompts = {} as Prompts;
  const asked: Promise<string>[] = [];

  beforeAll(async () => {
    useDatabases(newDatabases());
    const browser = new TestBrowser();
    const api = browser.api(async (_name, call) => call());
    useWallet(testPlatform(api));
    const modules = await loadModules();
    // As main.ts does.
    api.windows.onRemoved.addListener((id: number) => void modules.promptWindowClosed(wallet, id));
    const plain = plainKind;
    const full: PromptKind<Details, string> = {
      ...plain,
      name: 'operations',
      declined: 'operation-refused',
      closed: 'approval-closed',
      kept: ({ subject }) => ({ subject }),
      dismissed: vi.fn(async () => undefined),
    };
    const recorded: PromptKind<Details, string> = {
      ...plain,
      name: 'payment',
      approvedBy: 'pay',
      record: vi.fn(async () => undefined),
    };
    modules.usePromptKinds(wallet, { 'sign-in': plain, operations: full, payment: recorded });
    Object.assign(prompts, modules, { browser, api, plain, full, recorded });
    prompts.request = (message, { origin = ORIGIN, client = {}, userActivation = 'new', ...how } = {}) => {
      const answer = modules
        .promptUser(
          wallet,
          how.kind ?? plain,
          { origin, message, client, userActivation },
          how.prepare ?? (async () => ({ subject: message })),
          how.isSame,
          how.isPromptedAgain,
        )
        .catch((error: { code?: string }) => error.code ?? 'internal');
      asked.push(answer);
      return answer;
    };
    prompts.put = async (message, { kind = 'sign-in', state = 'awaitingDecision', ...more } = {}) => {
      const db = await modules.database.database(wallet);
      const prompt: Prompt = {
        kind,
        origin: ORIGIN,
        message,
        createdAt: Date.now(),
        state,
        window: modules.newWindow(wallet),
        details: { subject: message },
        outcome: null,
        ...more,
      };
      await db.put('prompts', prompt);
      return prompt;
    };
    prompts.read = (message, origin = ORIGIN) => modules.readPrompt(wallet, { origin, message });
    prompts.shown = (message, origin) =>
      vi.waitFor(async () => {
        const prompt = await prompts.read(message, origin);
        if (prompt?.outcome !== null || prompt.window.windowId === null) throw new Error('no window yet');
        return prompt as Prompt & { window: { windowId: number } };
      });
    prompts.unlock = () => modules.session.holdSeed(wallet, new Uint8Array(64), Date.now() + 3_600_000);
  });

  beforeEach(async () => {
    vi.clearAllMocks();
    setTime(START);
    const db = await prompts.database.database(wallet);
    for (const store of ['prompts', 'sites', 'keyval'] as const) await db.clear(store);
    await prompts.database.writeKey(wallet, 'vault', {} as never);
    prompts.browser.windows.clear();
    prompts.browser.windowsOpened = 0;
    prompts.browser.session.clear();
  });

  afterEach(async () => {
    // No one waits for open prompts any longer.
    await (await prompts.database.database(wallet)).clear('prompts');
    prompts.promptsGone(wallet);
    await Promise.all(asked.splice(0));
  });

  afterAll(() => {
    vi.restoreAllMocks();
  });
  return prompts;
}
