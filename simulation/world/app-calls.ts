/** Calls the wallet as simulated BRC-100 applications. */
import type { Brc100Results, SupportedMethod } from '../../protocol/brc100/methods.ts';
import type { PageReply } from '../../protocol/messages/page-messages.ts';
import { CHANNEL } from '../../protocol/messages/wire.ts';
import type { Browser } from './browser.ts';
import type { Command } from './commands.ts';
import type { Pages } from './pages.ts';

/** The application that stores tickets in a basket. */
export const HONEST = 'https://tickets.example';
/** Origins of applications, indexed by `Call.app`. One of the sites with buttons is also an application. */
export const APPLICATIONS = [
  HONEST,
  'https://hostile.example',
  'https://a.hostile.example',
  'https://b.hostile.example',
  'https://site0.example',
] as const;

/** A command to make a call. */
export type Call = Extract<Command, { do: 'call' }>;
type CallResult<M extends SupportedMethod> = Brc100Results[M] | { code: string };

export class AppCalls {
  readonly #world: { readonly browser: Browser; readonly pages: Pages };
  /** Number of calls so far. */
  count = 0;

  constructor(world: { readonly browser: Browser; readonly pages: Pages }) {
    this.#world = world;
  }

  make<M extends SupportedMethod>(
    origin: string,
    method: M,
    args: object,
    hand: boolean,
    message = `simulated-call-${this.count}`,
  ): Promise<CallResult<M>> {
    this.count += 1;
    const params = { call: method, args: JSON.stringify(args) };
    const userActivation = hand ? 'new' : 'none';
    const request = { channel: CHANNEL, to: 'wallet', id: message, method: 'brc100/call', params, userActivation };
    const { pages, browser } = this.#world;
    return new Promise((resolve) =>
      pages.converse(browser, { page: {}, origin, message: request }, (reply) =>
        resolve(answerIn(reply as PageReply<'brc100/call'>)),
      ),
    );
  }
}

function answerIn<M extends SupportedMethod>({ result, error }: PageReply<'brc100/call'>): CallResult<M> {
  if (error) return { code: error.code };
  const said = result as { result: Brc100Results[M] } | { error: { code: unknown } };
  return 'error' in said ? { code: String(said.error.code) } : said.result;
}
