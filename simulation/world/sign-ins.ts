/** Simulates pages that ask the user to sign in with the identity key, and checks the signatures that they receive. */
import type { PageReply } from '../../protocol/messages/page-messages.ts';
import { CHANNEL } from '../../protocol/messages/wire.ts';
import { signInMessage } from '../../protocol/signed-messages/sign-in-message.ts';
import type { PublicKeys } from '../../wallet/keys/keys.ts';
import { isSignedBy } from '../../server/identity/signed-message.ts';
import type { Random } from '../random.ts';
import type { Scheduler } from '../scheduler.ts';
import { Violation } from '../violation.ts';
import type { Browser } from './browser.ts';
import type { Command } from './commands.ts';
import { SERVICE } from './network.ts';
import type { Pages } from './pages.ts';

/** The sites that request sign-ins. The last site is the account's service. */
const ORIGINS = ['https://site0.example', 'https://site1.example', 'https://a.site0.example', SERVICE] as const;
/** How long a sign-in request is valid (milliseconds). */
const LASTS_MS = 300_000;
/** How long after a request expires the wallet may still accept an approval (milliseconds). */
const SLACK_MS = 120_000;

interface SignIn {
  origin: string;
  nonce: string;
  /** Time of the request by the browser's clock (milliseconds since 1970). */
  issuedAt: number;
  register: { handle: string; name: string } | null;
  /** The text that the user approved in a window, and the time of the approval by the browser's and by a true clock. */
  approved: { text: string; at: number; trueAt: number } | null;
  isAnswered: boolean;
  isLeft: boolean;
}

interface Surroundings {
  readonly browser: Browser;
  readonly pages: Pages;
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly clock: { readonly ahead: number };
}

export class SignIns {
  readonly #all: SignIn[] = [];
  readonly #world: Surroundings;
  /**
   * Called for each signature that a page receives. `judge` checks the signature, and throws if an invariant is
   * violated.
   */
  onSigned: (judge: () => void) => void = (judge) => judge();

  constructor(world: Surroundings) {
    this.#world = world;
  }

  /** Milliseconds since 1970 by the browser's clock. */
  get #now(): number {
    return this.#world.scheduler.now + this.#world.clock.ahead;
  }

  ask({ site, registers }: Extract<Command, { do: 'sign in' }>): void {
    const { pages, browser, random } = this.#world;
    const origin = ORIGINS[site % ORIGINS.length] as string;
    const nonce = Buffer.from(random.bytes(16)).toString('hex');
    const register = registers ? { handle: `user${this.#all.length}`, name: 'User' } : null;
    const asked: SignIn = {
      ...{ origin, nonce, register, issuedAt: this.#now },
      ...{ approved: null, isAnswered: false, isLeft: false },
    };
    this.#all.push(asked);
    const params = { nonce, ...timesOf(asked), register };
    const id = `simulated-sign-in-${this.#all.length}`;
    const message = { channel: CHANNEL, to: 'wallet', id, method: 'identity/sign-in', params, userActivation: 'new' };
    const left = () => (asked.isLeft = true);
    pages.converse(browser, { page: asked, origin, message, left }, (reply) => {
      asked.isAnswered = true;
      const { result } = reply as PageReply<'identity/sign-in'>;
      if (result) this.onSigned(() => this.#check(asked, result));
    });
  }

  /** Records that the user approved a window with this text. */
  approve(text: string): void {
    const asked = this.#all.find(({ nonce }) => text.includes(`\nNonce: ${nonce}\n`));
    if (asked) asked.approved ??= { text, at: this.#now, trueAt: this.#world.scheduler.now };
  }

  /** @throws Violation if a page is still waiting for a response */
  demandAnswers(): void {
    const waiting = this.#all.find(({ isAnswered, isLeft }) => !isAnswered && !isLeft);
    if (waiting) throw new Violation('who asks is answered', `${waiting.origin}, which asks to sign in`);
  }

  #check(asked: SignIn, { publicKey, signature, receivingXpub }: { publicKey: string } & Signed): void {
    const { origin, nonce, register, issuedAt, approved } = asked;
    if (!approved) throw new Violation('nothing without a yes', `${origin} has a signature`);
    // The clock may have been set back before the wallet read it.
    const at = Math.min(approved.at, approved.trueAt + this.#world.clock.ahead);
    if (at > issuedAt + LASTS_MS + SLACK_MS)
      throw new Violation('nothing is signed late', `${origin}: ${at - issuedAt} ms after it asked`);
    const { identity = '', serviceXpub = '' } =
      this.#world.browser.data.get<PublicKeys>('keyval', 'publicKeys') ?? ({} as Partial<PublicKeys>);
    const registration = register === null ? undefined : { ...register, receivingXpub: serviceXpub };
    const text = signInMessage({ origin, publicKey: identity, register: registration, nonce, ...timesOf(asked) });
    const isShown = approved.text === text && (receivingXpub ?? undefined) === registration?.receivingXpub;
    if (!isShown || publicKey !== identity || !isSignedBy(identity, text, signature))
      throw new Violation('what is signed is what was shown', origin);
  }
}

interface Signed {
  signature: string;
  receivingXpub: string | null;
}

const timesOf = ({ issuedAt }: SignIn) => ({
  issuedAt: new Date(issuedAt).toISOString(),
  expiresAt: new Date(issuedAt + LASTS_MS).toISOString(),
});
