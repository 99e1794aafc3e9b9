/** Chooses the kind of world and generates the commands of each seed. */
import { Random } from './random.ts';
import { commandsOf, type Command } from './world/commands.ts';
import {
  withAccountAtShop,
  withApplications,
  withAssets,
  withHosts,
  withOperators,
  withOtherBrowser,
  withRefusals,
  withRivals,
  withSignIns,
  withSwipes,
  withWrongClock,
} from './world/kinds.ts';

/**
 * The seed modulo this number determines the kind of world: 0 has paymail hosts and a shop, 1 and 3 have applications.
 */
const KINDS_OF_WORLDS = 5;
/**
 * One in `REFUSALS_EVERY` worlds has consecutive rejected payments, and one in `WRONG_CLOCK_EVERY` has a wrong clock.
 */
const [REFUSALS_EVERY, WRONG_CLOCK_EVERY] = [4, 6];
/** One in this many worlds has a shop at which the user has an account for a while. */
const ACCOUNT_AT_SHOP_EVERY = 2 * KINDS_OF_WORLDS;
/** One in this many worlds has a second browser with the same recovery words, and no applications. */
const OTHER_BROWSER_EVERY = 3 * KINDS_OF_WORLDS;
/** One in `SWIPES_EVERY` worlds has one-swipe payments, and one in `SIGN_INS_EVERY` has sign-in requests. */
const [SWIPES_EVERY, SIGN_INS_EVERY] = [9, 11];
/** One in this many worlds has competing transactions. */
const RIVALS_EVERY = 9;
/** One in this many worlds has tokens and ordinals. */
const ASSETS_EVERY = 8;
/**
 * Four out of seven worlds have two operators, each of which runs ARC or Arcade. The other worlds have one operator,
 * which runs ARC.
 */
const [OPERATORS_IN, OPERATORS_OF] = [4, 7];

/** Generates the commands of a seed. */
export function scenarioOf(seed: number): Command[] {
  const random = new Random(seed ^ 0x5eed);
  const commands = commandsOf(random);
  const kind = seed % KINDS_OF_WORLDS;
  let all = kind === 0 ? withHosts(commands, random) : kind % 2 ? withApplications(commands, random) : commands;
  if (seed % SWIPES_EVERY === 4) all = withSwipes(all, random);
  if (seed % OTHER_BROWSER_EVERY === 2) all = withOtherBrowser(all, random);
  if (seed % RIVALS_EVERY === 7) all = withRivals(all, random, kind % 2 === 0);
  if (seed % ACCOUNT_AT_SHOP_EVERY === 0) all = withAccountAtShop(all, random);
  if (seed % SIGN_INS_EVERY === 5) all = withSignIns(all, random);
  if (seed % ASSETS_EVERY === 3) all = withAssets(all, random);
  if (seed % REFUSALS_EVERY === 2) all = withRefusals(all, random);
  if (seed % WRONG_CLOCK_EVERY === 4) all = withWrongClock(all, random);
  return seed % OPERATORS_OF < OPERATORS_IN ? withOperators(all, random) : all;
}
