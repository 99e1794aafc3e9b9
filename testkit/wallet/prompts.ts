/** Test fixtures for prompts, with a memory database but without coins, a network or a service. */
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import type { UserActivation } from '../../protocol/messages/page-messages.ts';
import { TestBrowser } from './browser.ts';
import { setTime } from './clock.ts';
import { newDatabases, useDatabases } from './memory-database.ts';
import type { PromptKind } from '../../wallet/prompts/kinds.ts';
import type { Prompt } from '../../wallet/prompts/prompt.ts';
import { useWallet, wallet } from './current.ts';
import { testPlatform } from './platform.ts';

export const ORIGIN = 'https://shop.example';
/** The time at which each test begins (milliseconds since 1970). The clock moves only if a test advances it. */
export const START = Date.UTC(2026, 0, 1);

/** Details of the test prompts. The `full` kind deletes `secret` when the prompt closes. */
export interface Details {
  subject: string;
  secret?: string;
}

/** A kind of prompt with only the required properties. */
const plainKind: PromptKind<Details, string> = {
  name: 'sign-in',
  approvedBy: 'sign',
  declined: 'sign-in-refused',
  view: async ({ details }, locked) => ({ kind: 'sign-in', text: details.subject, wasLocked: locked }) as never,
  approve: async () => undefined,
};

async function loadModules() {
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
  /** A kind of prompt that deletes some details when it closes, and is notified of rejections. */
  full: PromptKind<Details, string>;
  /** A kind of prompt that also writes its own record. */
  recorded: PromptKind<Details, string>;
  /** Makes a page's request. @returns the response, or the error code */
  request: (message: string, by?: Asking) => Promise<string>;
  /** Stores an open prompt for which no page waits. */
  put: (message: string, more?: Partial<Prompt>) => Promise<Prompt>;
  /** Waits until the prompt for a message has been stored with its window. */
  shown: (message: string, origin?: string) => Promise<Prompt & { window: { windowId: number } }>;
  read: (message: string, origin?: string) => Promise<Prompt | undefined>;
  unlock: () => Promise<void>;
}

export interface Asking {
  origin?: string;
  client?: object;
  userActivation?: UserActivation;
  kind?: PromptKind<Details, string>;
  prepare?: () => Promise<Details>;
  isSame?: (details: Details) => boolean;
  isPromptedAgain?: (ended: Prompt<Details, string>) => boolean;
}

/** Sets up each test with an empty store, no windows and a locked wallet. */
export function usePrompts(): Prompts {
  const prompts = {} as Prompts;
  const asked: Promise<string>[] = [];

  beforeAll(async () => {
    useDatabases(newDatabases());
    const browser = new TestBrowser();
    const api = browser.api(async (_name, call) => call());
    useWallet(testPlatform(api));
    const modules = await loadModules();
    // Registers the same listener as main.ts.
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
    prompts.unlock = () => modules.session.storeSeed(wallet, new Uint8Array(64), Date.now() + 3_600_000);
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
    // Closes open prompts, because no page waits for them after the test.
    await (await prompts.database.database(wallet)).clear('prompts');
    prompts.wakeCallers(wallet);
    await Promise.all(asked.splice(0));
  });

  afterAll(() => {
    vi.restoreAllMocks();
  });
  return prompts;
}
