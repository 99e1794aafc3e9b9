/** Defines the kinds of world. Each function adds the events of one kind to generated commands. */
import { ACTS, type Act, type Call, type Command } from './commands.ts';
import { PAYMAIL_HOSTS } from './hosts.ts';
import type { Fault, Lie, Target } from './faults.ts';
import type { Random } from '../random.ts';

const HOST_FAULTS = (['names', 'destinations', 'deliveries', 'shop'] as const).flatMap((target) =>
  (['lost', 'answer lost', 'twice', 'late', 'no answer', '500'] as const).map((fault): [Target, Fault] => [
    target,
    fault,
  ]),
);
const HOST_LIES: readonly [Target, Fault][] = [
  ['destinations', 'another amount'],
  ['destinations', 'nonsense'],
  ['deliveries', 'declines'],
  ['deliveries', 'another transaction'],
  ['deliveries', 'nonsense'],
];

/** Adds paymail recipients and the shop's buttons to payments. */
export function withHosts(commands: readonly Command[], random: Random): Command[] {
  const paymail = () => (random.chance(0.6) ? { paymail: random.below(PAYMAIL_HOSTS.length) } : {});
  return commands.map((command) => {
    if (command.do === 'ask') return { ...command, ...paymail(), ...(random.chance(0.4) && { shop: true as const }) };
    if (command.do === 'send') return { ...command, ...paymail() };
    if (command.do !== 'fault' || random.chance(0.3)) return command;
    const [target, fault] = random.pick(random.chance(0.5) ? HOST_LIES : HOST_FAULTS);
    return { ...command, target, fault };
  });
}

const ACT_WEIGHTS: Record<Act, [honest: number, hostile: number]> = {
  pay: [2, 6],
  ticket: [8, 1],
  chain: [0, 5],
  redeem: [4, 1],
  bring: [0, 5],
  take: [0, 2],
  copy: [0, 6],
  sign: [1, 4],
  abort: [1, 5],
  send: [1, 5],
  surface: [0, 4],
  insert: [4, 5],
  receive: [3, 2],
  list: [1, 1],
  relinquish: [1, 3],
};

/** Actions that can follow an unsent transaction from the same application. */
const AFTER_KEPT: readonly Act[] = ['send', 'abort', 'surface', 'chain', 'chain', 'chain'];
/** Actions that can follow an unsigned transaction from the same application. */
const AFTER_PREPARED: readonly Act[] = ['sign', 'abort', 'pay', 'bring'];

function callOf(random: Random, before: Call | undefined): Call {
  const last = before && random.chance(0.6) ? before : null;
  const following = last?.later ? AFTER_PREPARED : last?.noSend ? AFTER_KEPT : null;
  const app = last?.app ?? (random.chance(0.35) ? 0 : random.between(1, 4));
  const weights = ACTS.map((act) => ACT_WEIGHTS[act][app === 0 ? 0 : 1]);
  let at = random.below(weights.reduce((sum, weight) => sum + weight, 0));
  const usual = ACTS[weights.findIndex((weight) => (at -= weight) < 0)] as Act;
  const noSend = last?.noSend ?? random.chance(app === 0 ? 0.05 : 0.4);
  const later = last?.later ?? random.chance(app === 0 ? 0.1 : 0.3);
  return {
    do: 'call',
    app,
    act: following && app > 0 ? random.pick(following) : usual,
    pick: random.below(64),
    satoshis: random.pick([700, 2_000, 5_000, 20_000, 140_000]),
    hand: random.chance(0.7),
    ...(noSend && { noSend: true as const }),
    ...(later && { later: true as const }),
    ...(random.chance(app === 0 ? 0.9 : 0.5) && { attended: true as const }),
    ...(random.chance(0.4) && { allowance: random.pick([8_000, 30_000, 150_000]) }),
  };
}

const RESTRAINTS = ['block', 'block', 'unblock', 'revoke', 'revoke'] as const;

export function withApplications(commands: readonly Command[], random: Random): Command[] {
  const made: Command[] = [];
  const replaced = (command: Command, place: number): Command => {
    if (place === 0 || random.chance(0.3)) return command;
    const { steps, ms } = command;
    const pace = { ...(steps !== undefined && { steps }), ...(ms !== undefined && { ms }) };
    const kind = random.next();
    const last = made.slice(-2).findLast((one) => one.do === 'call');
    if (kind < 0.08) {
      // Usually targets the application that called last. Its pending actions must then end.
      const app = last && random.chance(0.7) ? last.app : random.below(5);
      return { do: 'restrain', what: random.pick(RESTRAINTS), app, ...pace };
    }
    if (kind < 0.16) return { do: 'probe', ...pace };
    if (kind < 0.2) return { do: 'restore', ...pace };
    const before = made.at(-1);
    const call = callOf(random, last);
    // Applications often attempt to complete an action after their permissions were revoked.
    if (before?.do === 'restrain' && before.what !== 'unblock' && random.chance(0.8))
      return { ...call, app: before.app, act: random.pick(['send', 'sign'] as const), attended: true, ...pace };
    return { ...call, ...pace };
  };
  for (const [place, command] of commands.entries()) made.push(replaced(command, place));
  return made;
}

/** Makes ARC reject consecutive payments. The user retries some of them, and a third party may submit their bytes. */
export function withRefusals(commands: readonly Command[], random: Random): Command[] {
  const at = random.below(commands.length + 1);
  const times = random.between(2, 8);
  const fault = random.pick(['rejected', 'rejected', 'refused', 'refused', 'says contested', '500'] as const);
  // The wallet doesn't retry a payment rejected as invalid, so each of these faults ends one payment.
  const faults = fault === 'refused' ? random.between(1, times) : times * random.between(1, 4);
  const row: Command[] = [{ do: 'fault', target: 'broadcast', fault, times: faults }];
  const deals = commands.slice(0, at).filter((one) => one.do === 'ask' || one.do === 'send').length;
  for (let i = 0; i < times; i += 1) {
    const isAgain = i > 0 && random.chance(0.5);
    row.push(
      isAgain
        ? { do: 'retry', deal: deals + i - 1, ms: 300 }
        : { do: 'ask', site: 0, satoshis: 5_000, automatic: false, hand: true, ms: 300 },
      { do: 'say', what: 'yes', ms: random.pick([2_000, 8_000, 40_000]) },
    );
    if (isAgain && random.chance(0.4)) row.push({ do: 'resend', ms: 100 }, { do: 'mine', blocks: 1, ms: 100 });
  }
  return commands.toSpliced(at, 0, ...row);
}

/** Operators' faults during one request. */
const OPERATOR_FAULTS: readonly Fault[] = [
  ...(['keeps rejected', 'silence', 'received', 'not final', 'chain too long'] as const),
  ...(['overloaded', 'key required', 'other dialect', 'rejected', 'refused', 'says contested'] as const),
];
/** Operators' lasting faults. */
const OPERATOR_LIES: readonly Lie[] = ['operator down', 'operator slow', 'operator requires key', 'keeps nothing'];

/** Adds operators that run ARC or Arcade, and their faults. The user may have configured the second operator. */
export function withOperators(commands: readonly Command[], random: Random): Command[] {
  const dialect = () => random.pick(['arcade', 'arcade', 'arc'] as const);
  const operators = (): Command => ({ do: 'operators', dialects: [dialect(), dialect()] });
  const fault = (): Command => ({
    do: 'fault',
    target: random.chance(0.9) ? 'broadcast' : 'arc',
    fault: random.pick(OPERATOR_FAULTS),
    times: random.pick([1, 1, 2, 4, 8]),
  });
  const made = commands.map((command): Command => {
    const { steps, ms } = command;
    const pace = { ...(steps !== undefined && { steps }), ...(ms !== undefined && { ms }) };
    if (command.do === 'fault' && random.chance(0.7)) return { ...fault(), ...pace };
    return command.do === 'lie' && random.chance(0.5) ? { ...command, lie: random.pick(OPERATOR_LIES) } : command;
  });
  for (let i = random.between(1, 4); i > 0; i -= 1) made.splice(random.below(made.length), 0, { ...fault(), ms: 0 });
  // An operator can switch between ARC and Arcade.
  if (random.chance(0.2)) made.splice(random.below(made.length), 0, { ...operators(), ms: 0 });
  const chosen = random.chance(0.6) && { chosen: true as const };
  return [{ ...operators(), ...chosen, ms: 3000 }, ...made];
}

/** Replaces some of the payments with one-swipe payments, within and above the limits. */
export function withSwipes(commands: readonly Command[], random: Random): Command[] {
  const limits = (): Command => ({ do: 'swipe limits', satoshis: random.pick([12_000, 40_000, 300_000]) });
  const made = commands.map((command): Command => {
    if (command.do === 'refresh') return { ...command, ...limits() };
    if (command.do !== 'ask' || random.chance(0.4)) return command;
    const { automatic, hand, ...swiped } = command;
    // The user needs time to read and swipe.
    return { ...swiped, do: 'swipe', ...(random.chance(0.7) && { ms: random.between(500, 6000) }) };
  });
  const row = Array.from({ length: random.between(2, 6) }, (): Command => {
    const satoshis = random.pick([700, 5_000, 5_000, 20_000]);
    return { do: 'swipe', site: random.below(3), satoshis, ms: random.between(500, 8000) };
  });
  return [{ ...limits(), ms: 3000 }, ...made.toSpliced(random.below(made.length + 1), 0, ...row)];
}

/** Adds a second browser with the same recovery words, which also sends payments. */
export function withOtherBrowser(commands: readonly Command[], random: Random): Command[] {
  const open: Command = { do: 'other browser', ms: 30_000 };
  let made = [...commands];
  for (let i = random.between(1, 5); i > 0; i -= 1)
    made = made.toSpliced(random.between(1, made.length), 0, {
      do: 'send elsewhere',
      satoshis: random.pick([1_000, 9_000, 80_000]),
      ...(random.chance(0.5) ? { steps: random.between(0, 150) } : { ms: random.between(100, 5000) }),
    });
  return [open, ...made];
}

/** Moves the user between accounts at the shop and at the service. */
export function withAccountAtShop(commands: readonly Command[], random: Random): Command[] {
  const move = (at: 'shop' | 'service'): Command => ({ do: 'account', at, ms: random.pick([0, 300, 5000]) });
  // A report that fails at the shop is abandoned when the user leaves the account at the shop.
  const left: Command[] = [
    { do: 'fault', target: 'shop', fault: random.pick(['500', 'lost']), times: random.between(2, 8), ms: 0 },
    { do: 'ask', site: 0, satoshis: 5_000, automatic: false, hand: true, shop: true, ms: 500 },
    { do: 'say', what: 'yes', ms: random.pick([2_000, 8_000]) },
    move('service'),
  ];
  let made = commands.toSpliced(random.below(commands.length + 1), 0, ...(random.chance(0.6) ? left : []));
  for (let i = random.between(0, 2); i > 0; i -= 1)
    made = made.toSpliced(random.between(1, made.length), 0, move(random.pick(['shop', 'service'])));
  return [{ ...move('shop'), ms: 5000 }, ...made];
}

/** Adds sign-in requests. The user decides immediately, or minutes later. */
export function withSignIns(commands: readonly Command[], random: Random): Command[] {
  const ask = (): Command => {
    const registers = random.chance(0.4) && { registers: true as const };
    return { do: 'sign in', site: random.below(4), ...registers, ms: random.pick([0, 200, 700, 3000, 500_000]) };
  };
  const say = (): Command => ({
    do: 'say',
    what: random.pick(['yes', 'yes', 'yes', 'yes twice', 'no', 'close']),
    ...(random.chance(0.5) ? { steps: random.between(0, 60) } : { ms: random.between(100, 2000) }),
  });
  let made = [...commands];
  for (let i = random.between(1, 4); i > 0; i -= 1)
    made = made.toSpliced(random.between(1, made.length), 0, ask(), say());
  return made;
}

/** Adds tokens and ordinals that third parties send to the wallet and the user sends to others. */
export function withAssets(commands: readonly Command[], random: Random): Command[] {
  const give = (): Command => ({
    do: 'give asset',
    kind: random.pick(['token', 'token', 'token', 'ordinal', 'false token'] as const),
    units: random.pick([1, 40, 300]),
    pick: random.below(8),
    ms: random.pick([0, 300, 3000]),
  });
  const pace = () => (random.chance(0.5) ? { steps: random.between(0, 120) } : { ms: random.between(100, 5000) });
  const send = (): Command => ({
    do: 'send asset',
    pick: random.below(8),
    share: random.pick([0.3, 0.5, 1]),
    windows: random.chance(0.2) ? 2 : 1,
    ...(random.chance(0.2) && { paymail: random.below(PAYMAIL_HOSTS.length) }),
    ...pace(),
  });
  const open = (): Command => ({ do: 'open assets', ...(random.chance(0.3) ? pace() : { ms: 20_000 }) });
  let made = [give(), give(), open(), ...commands];
  const more: Command[][] = Array.from({ length: random.between(1, 4) }, () => [send()]);
  if (random.chance(0.7)) more.push([give(), open(), send()]);
  if (random.chance(0.2)) more.push([{ do: 'restore', ms: 3000 }, open(), send()]);
  for (const some of more) made = made.toSpliced(random.between(3, made.length), 0, ...some);
  return made;
}

const HOUR_MS = 3600_000;

/** Makes the browser's clock wrong for a while. */
export function withWrongClock(commands: readonly Command[], random: Random): Command[] {
  const from = random.below(commands.length);
  const to = random.between(from, commands.length);
  const ahead = random.pick([HOUR_MS, 6 * HOUR_MS, 366 * 24 * HOUR_MS]);
  return commands
    .toSpliced(to, 0, { do: 'clock', ahead: 0, ms: 100 })
    .toSpliced(from, 0, { do: 'clock', ahead, ms: 100 });
}

/**
 * Adds pending transactions that the nodes drop, or replace by others that spend the same coin, in turn. In some
 * worlds, a second browser with the same recovery words spends the same coins.
 * @param isShared true if the world may have a second browser
 */
export function withRivals(commands: readonly Command[], random: Random, isShared: boolean): Command[] {
  const pace = () => (random.chance(0.4) ? { steps: random.between(0, 120) } : { ms: random.between(100, 5000) });
  const replace = (): Command => ({ do: 'replace', pick: random.below(4), ...pace() });
  const look = (): Command[] => (random.chance(0.6) ? [{ do: 'refresh', ms: random.pick([500, 20_000]) }] : []);
  const paidAgain = (): Command[] => [
    { do: 'receive', satoshis: random.pick([2_000, 15_000]), ms: random.pick([0, 300, 3000]) },
    ...look(),
    {
      do: 'pay again',
      satoshis: random.pick([3_000, 14_000]),
      ...(random.chance(0.3) && { elsewhere: true as const }),
      ...pace(),
    },
    replace(),
    ...look(),
  ];
  const events: (() => Command[])[] = [
    paidAgain,
    () => [{ do: 'drop', pick: random.below(6), ...pace() }, ...look()],
    () => [replace(), ...look(), replace(), ...look()],
    () => [{ do: 'reorganise', depth: random.between(1, 3), ...pace() }, replace(), ...look()],
    () => [
      { do: 'drop', pick: random.below(6), ms: random.pick([0, 700_000]) },
      { do: 'resend', ...pace() },
    ],
  ];
  let made = isShared && random.chance(0.7) ? withOtherBrowser(commands, random) : [...commands];
  for (let i = random.between(2, 6); i > 0; i -= 1)
    made = made.toSpliced(random.between(1, made.length), 0, ...random.pick(events)());
  return made;
}
