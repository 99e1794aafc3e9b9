/** Defines a simulation's commands as plain data, which can be generated, printed, shortened and replayed. */
import type { Dialect } from '../../protocol/network/broadcaster/broadcaster.ts';
import type { Fault, Lie, Target } from './faults.ts';
import type { Random } from '../random.ts';

/** A recipient other than an address: a paymail (index in `PAYMAIL_HOSTS`), or one of the shop's buttons. */
interface Elsewhere {
  paymail?: number;
  shop?: true;
}

/** A command, and the number of steps or milliseconds by which the world then advances. */
export type Command = Happening & { steps?: number; ms?: number };

type Happening =
  | ({ do: 'ask'; site: number; satoshis: number; automatic: boolean; hand: boolean; dollars?: true } & Elsewhere)
  | { do: 'ask again'; deal: number }
  | { do: 'leave'; deal: number }
  | { do: 'say'; what: 'yes' | 'no' | 'close' | 'yes twice'; allowance?: number }
  | ({ do: 'send'; satoshis: number; all?: true; windows: 1 | 2 } & Pick<Elsewhere, 'paymail'>)
  | { do: 'cancel'; deal: number }
  | { do: 'receive'; satoshis: number }
  | { do: 'mine'; blocks: number; leaves?: number }
  | { do: 'reorganise'; depth: number }
  | { do: 'double-spend' }
  | { do: 'drop'; pick: number }
  | { do: 'pay again'; satoshis: number; elsewhere?: true }
  | { do: 'replace'; pick: number }
  | { do: 'resend' }
  | { do: 'refresh' }
  | { do: 'kill' }
  | { do: 'restart' }
  | { do: 'lock' }
  | { do: 'restore' }
  | { do: 'fault'; target: Target; fault: Fault; times: number }
  | { do: 'lie'; lie: Lie | null }
  | { do: 'operators'; dialects: readonly [Dialect, Dialect]; chosen?: true }
  | Call
  | { do: 'restrain'; what: 'block' | 'unblock' | 'revoke'; app: number }
  | { do: 'swipe limits'; satoshis: number }
  | ({ do: 'swipe'; site: number; satoshis: number; dollars?: true } & Elsewhere)
  | { do: 'other browser' }
  | { do: 'send elsewhere'; satoshis: number }
  | { do: 'account'; at: 'shop' | 'service' }
  | { do: 'sign in'; site: number; registers?: true }
  | { do: 'give asset'; kind: 'token' | 'false token' | 'ordinal'; units: number; pick: number }
  | { do: 'open assets' }
  | ({ do: 'send asset'; pick: number; share: number; windows: 1 | 2 } & Pick<Elsewhere, 'paymail'>)
  | { do: 'retry'; deal: number }
  | { do: 'probe' }
  | { do: 'clock'; ahead: number }
  | { do: 'nothing' };

/** An application's possible actions (applications.ts). */
export const ACTS = [
  ...(['pay', 'ticket', 'chain', 'redeem', 'bring', 'take', 'copy', 'sign', 'abort', 'send', 'surface'] as const),
  ...(['insert', 'receive', 'list', 'relinquish'] as const),
];
export type Act = (typeof ACTS)[number];

/**
 * A call by an application. If the call is `attended`, the user approves its prompts and grants `allowance` (satoshis).
 */
export interface Call {
  do: 'call';
  /** Index in `APPLICATIONS`. */
  app: number;
  act: Act;
  /** Selects one of the possible objects: the index modulo their number. */
  pick: number;
  satoshis: number;
  hand: boolean;
  noSend?: true;
  /** True to leave the action unsigned at first. */
  later?: true;
  attended?: true;
  allowance?: number;
}

const FAULTS: readonly [Target, Fault][] = [
  ...(
    ['lost', 'answer lost', 'twice', 'late', 'no answer', '500', 'rejected', 'says rejected', 'says contested'] as const
  ).map((fault) => ['broadcast', fault] as [Target, Fault]),
  ...(['arc', 'index', 'service'] as const).flatMap((target) =>
    (['lost', 'answer lost', 'twice', 'late', 'no answer', '500'] as const).map(
      (fault) => [target, fault] as [Target, Fault],
    ),
  ),
];
const LIES: readonly Lie[] = ['hides coins', 'knows nothing', 'keeps nothing', 'all mined', 'wrong rate'];

/** Generates an event. `automatic`: share of pages' payments that are requested without a user gesture. */
type Making = (random: Random, deals: number, automatic: number) => Happening;

/** Weights and generators of the kinds of events. */
const KINDS: readonly [number, Making][] = [
  [
    26,
    (random, _, automatic) => ({
      do: 'ask',
      site: random.chance(automatic > 0.9 ? 0.9 : 0.6) ? 0 : random.below(3),
      satoshis: random.pick([700, 5_000, 5_000, 5_000, 20_000, 60_000, 400_000]),
      automatic: random.chance(automatic),
      hand: random.chance(0.8),
      ...(random.chance(0.25) && { dollars: true as const }),
    }),
  ],
  [5, (random, deals) => ({ do: 'ask again', deal: random.below(deals) })],
  [4, (random, deals) => ({ do: 'leave', deal: random.below(deals) })],
  [
    16,
    (random, _, automatic) => ({
      do: 'say',
      what: random.pick(['yes', 'yes', 'yes', 'yes', 'yes', 'yes twice', 'no', 'close']),
      ...(random.chance(automatic > 0.9 ? 0.95 : 0.5) && { allowance: random.pick([8_000, 8_000, 30_000, 150_000]) }),
    }),
  ],
  [
    6,
    (random) => ({
      do: 'send',
      satoshis: random.pick([1_000, 9_000, 80_000]),
      ...(random.chance(0.1) && { all: true as const }),
      windows: random.chance(0.3) ? 2 : 1,
    }),
  ],
  [2, (random, deals) => ({ do: 'cancel', deal: random.below(deals) })],
  [6, (random) => ({ do: 'receive', satoshis: random.pick([2_000, 15_000, 90_000]) })],
  [8, (random) => ({ do: 'mine', blocks: random.pick([1, 1, 1, 2, 7]), ...(random.chance(0.3) && { leaves: 0.5 }) })],
  [4, (random) => ({ do: 'reorganise', depth: random.between(1, 4) })],
  [2, () => ({ do: 'double-spend' })],
  [3, () => ({ do: 'resend' })],
  [4, () => ({ do: 'refresh' })],
  [14, () => ({ do: 'kill' })],
  [1, () => ({ do: 'restart' })],
  [1, () => ({ do: 'lock' })],
  [1, () => ({ do: 'restore' })],
  [
    12,
    (random) => {
      const [target, fault] = random.pick(FAULTS);
      return { do: 'fault', target, fault, times: random.pick([1, 1, 1, 2, 4]) };
    },
  ],
  [4, (random) => ({ do: 'lie', lie: random.chance(0.4) ? null : random.pick(LIES) })],
];
const ALL = KINDS.reduce((sum, [weight]) => sum + weight, 0);

export function commandsOf(random: Random): Command[] {
  const commands: Command[] = [];
  const count = random.between(6, 26);
  const automatic = random.pick([0.1, 0.5, 0.95]);
  let deals = 1;
  for (let i = 0; i < count; i += 1) {
    let at = random.below(ALL);
    const [, make] = KINDS.find(([weight]) => (at -= weight) < 0) as (typeof KINDS)[number];
    const [ask, say] = [KINDS[0], KINDS[3]] as [(typeof KINDS)[number], (typeof KINDS)[number]];
    const follows = commands.at(-1)?.do === 'ask' && random.chance(0.6);
    // Pages with automatic payments send requests in quick succession.
    const asksAgain = automatic > 0.9 && random.chance(0.5);
    const [, luck] = i === 0 ? ask : follows ? say : asksAgain ? ask : [0, make];
    const happening = luck(random, deals, automatic);
    if (happening.do === 'ask' || happening.do === 'send') deals += 1;
    // Events mostly follow each other quickly, because bugs appear when operations overlap.
    const pause = random.next();
    commands.push({
      ...happening,
      ...(pause < 0.55
        ? { steps: random.between(0, 120) }
        : pause < 0.9
          ? { ms: random.between(100, 3000) }
          : { ms: random.pick([15_000, 60_000, 700_000]) }),
    });
  }
  return commands;
}
