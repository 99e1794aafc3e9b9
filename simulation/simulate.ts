/** Runs generated or recorded commands. Each run starts with a copy of the same prepared wallet. */
import './globals.ts';
import type { PublicKeys } from '../wallet/keys/keys.ts';
import type { Command } from './world/commands.ts';
import { HONEST } from './world/app-calls.ts';
import { sentElsewhere, text } from './asset-invariants.ts';
import { Invariants } from './invariants.ts';
import { runCommand } from './run-command.ts';
import { scenarioOf } from './scenario.ts';
import type { Browser } from './world/browser.ts';
import { holdings } from './world/token-ledger.ts';
import { PASSWORD } from './world/user.ts';
import { Violation } from './violation.ts';
import { ownScripts } from './world/words-search.ts';
import { World } from './world.ts';

/** The wallet's initial coins (satoshis). */
const COINS = [40_000, 30_000, 500_000, 8_000];
/** Number of fault-free rounds, each with a block and a pause, after which everything must be settled. */
const ROUNDS = 14;
/** The round in which the user ends the remaining actions. */
const LATE_ROUND = 10;

export interface Outcome {
  seed: number;
  /** Identical runs have the same digest. */
  digest: string;
  steps: number;
  violation: Violation | null;
}

/** Runs simulations on copies of one prepared wallet. */
export interface Simulator {
  run(seed: number, commands?: readonly Command[]): Promise<Outcome>;
}

export async function openSimulator(): Promise<Simulator> {
  const prepared = new World(0);
  await prepared.prepare(COINS);
  const own = ownScripts(prepared.browser.data.get<PublicKeys>('keyval', 'publicKeys') as PublicKeys);
  return {
    async run(seed, commands = scenarioOf(seed)) {
      const world = new World(seed, prepared);
      const invariants = new Invariants(world, own);
      try {
        for (const command of commands) {
          await runCommand(world, command);
          if (invariants.violation) break;
        }
        if (!invariants.violation) await rest(world, invariants);
        if (!invariants.violation) await askForAppData(world, invariants);
        if (!invariants.violation) await askTheRecipient(world);
      } catch (error) {
        invariants.violation ??=
          error instanceof Violation
            ? error
            : new Violation('nothing throws', error instanceof Error ? `${error.stack}` : String(error));
      }
      world.browser.forget();
      world.other?.forget();
      // Promise callbacks never yield to the event loop, so the process's other work would never run.
      await new Promise((resolve) => setImmediate(resolve));
      return { seed, digest: world.scheduler.digest, steps: world.scheduler.steps, violation: invariants.violation };
    },
  };
}

/** Ends all faults. Then blocks are mined and the user resolves what is pending, until everything is settled. */
async function rest(world: World, invariants: Invariants): Promise<void> {
  const { network, scheduler } = world;
  network.endFaults();
  if (world.random.chance(0.5)) network.rivals.returnAll();
  world.setClock(0);
  // If the user doesn't end them, unsigned actions remain pending for an hour, then expire.
  if (world.random.chance(0.95)) await world.finish(world.user.endActions().catch(() => undefined));
  if (network.rivals.areUsed) await settleBalance(world, invariants);
  for (let round = 0; round < ROUNDS; round += 1) {
    if (invariants.violation) return;
    const { browser } = world;
    await scheduler.pass(12_000);
    for (const { id } of [...browser.browser.windows.values()]) browser.closeWindow(id);
    await world.finish(browser.ask('popup', 'vault/unlock', { password: PASSWORD }));
    await world.finish(browser.ask('popup', 'vault/send-unsent', {}).catch(() => undefined));
    await world.finish(world.user.cancelUnsent().catch(() => undefined));
    // Unsigned actions have expired by this round, so only signed `noSend` actions are pending.
    if (round === LATE_ROUND) await world.finish(world.user.endActions().catch(() => undefined));
    if (round >= LATE_ROUND) await world.finish(world.user.endTransfers().catch(() => undefined));
    network.mine();
    // All addresses are searched only if nothing is pending, because a full search is slow.
    await world.finish(browser.ask('popup', 'wallet/refresh', { all: world.isQuiet }));
    if (world.assets.areUsed) await world.finish(world.assets.open().catch(() => undefined));
    if (world.other) await settleOther(world, world.other, round >= LATE_ROUND);
    if (world.isQuiet && invariants.isAtRest) return;
    // After repeated failures, retries can be hours apart.
    await scheduler.pass(Math.min(20_000 * 2 ** round, 4_000_000));
  }
  invariants.demandRest();
}

/** Time after which each browser has detected what the network has dropped or replaced (milliseconds). */
const DETECTED_AFTER_MS = 600_000;

/** Lets each browser compare its balance with the network before the next block. */
async function settleBalance(world: World, invariants: Invariants): Promise<void> {
  const { browser, other, scheduler } = world;
  for (let i = 0; i < 2; i += 1) {
    for (const one of [browser, other]) {
      if (!one) continue;
      await world.finish(one.ask('popup', 'vault/unlock', { password: PASSWORD }).catch(() => undefined));
      await world.finish(one.ask('popup', 'wallet/refresh', { all: true }).catch(() => undefined));
    }
    if (i === 0) await scheduler.pass(DETECTED_AFTER_MS);
  }
  invariants.demandConsistentBalance();
}

/** Lets the second browser with the same recovery words send its pending payments and search for coins. */
async function settleOther(world: World, other: Browser, isLate: boolean): Promise<void> {
  await world.finish(other.ask('popup', 'vault/unlock', { password: PASSWORD }).catch(() => undefined));
  await world.finish(other.ask('popup', 'vault/send-unsent', {}).catch(() => undefined));
  await world.finish(
    world
      .userAt(other)
      .cancelUnsent()
      .catch(() => undefined),
  );
  if (isLate)
    await world.finish(
      world
        .userAt(other)
        .endTransfers()
        .catch(() => undefined),
    );
  await world.finish(other.ask('popup', 'wallet/refresh', { all: true }).catch(() => undefined));
  if (world.assets.areUsed) await world.finish(world.assets.open(other).catch(() => undefined));
}

/**
 * Number of attempts after which the honest application must have its data. A failed search is retried after 10 min.
 */
const APP_DATA_ROUNDS = 4;

/** Lets the honest application list its data, with the user's approval, and checks that nothing is missing. */
async function askForAppData(world: World, invariants: Invariants): Promise<void> {
  const { applications, user, browser, scheduler } = world;
  if (!applications.baskets.things.some(({ origin, isExpected }) => origin === HONEST && isExpected)) return;
  await world.finish(user.restrain({ what: 'unblock', origin: HONEST }));
  for (let round = 1; round <= APP_DATA_ROUNDS && !invariants.violation; round += 1) {
    void user.attend(3);
    const listed = await world.finish(applications.baskets.listed(), 1_800_000);
    if (listed && invariants.hasAppData(listed, round === APP_DATA_ROUNDS)) return;
    for (const { id } of [...browser.browser.windows.values()]) browser.closeWindow(id);
    await scheduler.pass(660_000);
    await world.finish(browser.ask('popup', 'vault/unlock', { password: PASSWORD }));
  }
}

/** Restores the wallet that received tokens and ordinals, and checks that it lists all of them. */
async function askTheRecipient(world: World): Promise<void> {
  const sent = text(sentElsewhere(world));
  if (sent === text(holdings([]))) return;
  const browser = world.newBrowser();
  const listed = text(await world.finish(world.assets.listElsewhere(browser), 3_600_000));
  browser.forget();
  if (listed !== sent) throw new Violation('what is sent arrives', `${listed} instead of ${sent}`);
}
