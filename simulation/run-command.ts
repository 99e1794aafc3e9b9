/** Executes commands in a simulated world. */
import type { Dialect } from '../protocol/network/broadcaster/broadcaster.ts';
import { isLive } from '../wallet/payments/move.ts';
import type { PaymentRecord } from '../wallet/payments/record.ts';
import { settled } from './scheduler.ts';
import { reorganise } from './world/costs.ts';
import { APPLICATIONS } from './world/app-calls.ts';
import { otherAddress } from './world/assets.ts';
import type { Command } from './world/commands.ts';
import { expireRejections, isPaidOrPending, type Deal } from './world/deals.ts';
import { SHOP } from './world/hosts.ts';
import { SERVICE } from './world/network.ts';
import { OPERATOR_PATHS } from './world/operators.ts';
import type { World } from './world.ts';

/** Number of consecutive windows approved per application call: connection, permission, payment. */
const ATTENDED_WINDOWS = 3;

/** The value of `Deal.browser` for payments from the second browser. */
const OTHER = 0;

const askedOf = (satoshis: number, dollars?: true): Deal['asked'] =>
  dollars ? { cents: Math.max(1, Math.round(satoshis / 20_000)) } : { satoshis: BigInt(satoshis) };

/** Executes a command, then advances the world by the command's steps or milliseconds. */
export async function runCommand(world: World, { steps, ms, ...command }: Command): Promise<void> {
  world.scheduler.note(JSON.stringify(command));
  await start(world, command);
  // Workers are killed between two tasks, never within one.
  await settled();
  if (world.trouble !== null) throw world.trouble;
  if (ms !== undefined) await world.scheduler.pass(ms);
  for (let i = 0; i < (steps ?? 0); i += 1) if (!(await world.scheduler.step(world.scheduler.now + 3000))) break;
}

async function start(world: World, command: Command): Promise<void> {
  const { network, browser, random } = world;
  switch (command.do) {
    case 'ask':
      return ask(world, command);
    case 'ask again':
    case 'leave':
    case 'cancel': {
      const deal = world.deals[command.deal % Math.max(1, world.deals.length)];
      if (!deal) return undefined;
      if (command.do === 'leave') world.pages.leave(deal);
      else if (command.do === 'cancel') void world.user.cancel(deal).catch(() => undefined);
      else if (deal.origin !== '' && !deal.isAction && deal.answer && deal.browser === world.browsers) {
        expireRejections([deal], world.scheduler.now + world.clock.ahead);
        world.pages.request(browser, deal, true);
      }
      return undefined;
    }
    case 'say':
      void world.user.say(command);
      return undefined;
    case 'send': {
      const deal = world.newDeal(
        { origin: '', asked: { satoshis: BigInt(command.satoshis) }, automatic: false },
        command,
      );
      void world.user.send(deal, command).catch(() => undefined);
      return undefined;
    }
    case 'receive':
      world.received.push(await network.ledger.faucet(world.receiveAddress, command.satoshis));
      return undefined;
    case 'mine':
      return network.mine(command.blocks, command.leaves);
    case 'reorganise':
      return reorganise(network, command.depth);
    case 'double-spend': {
      const txid = world.received.findLast((one) => network.ledger.known.has(one));
      if (txid !== undefined && !network.chain.blockOf(txid)) network.doubleSpend(txid);
      return undefined;
    }
    case 'drop':
      return network.rivals.drop(command.pick);
    case 'pay again': {
      const to = command.elsewhere ? null : world.receiveAddress;
      const txid = world.received.findLast((one) => network.transactionOf(one) && !network.blockOf(one));
      const rival = txid === undefined ? null : network.rivals.sign(txid, to, command.satoshis);
      if (rival !== null && to !== null) world.received.push(rival);
      return undefined;
    }
    case 'replace':
      return network.rivals.replace(command.pick);
    case 'resend':
      network.rivals.returnAll();
      return network.resend();
    case 'refresh':
      void browser.ask('popup', 'wallet/refresh', { all: random.chance(0.5) }).catch(() => undefined);
      return undefined;
    case 'lock':
      void browser.ask('popup', 'vault/lock', {}).catch(() => undefined);
      return undefined;
    case 'kill':
      // If there are two browsers, the worker of a random one is killed.
      return (world.other && random.chance(0.5) ? world.other : browser).kill();
    case 'restart':
      browser.kill();
      browser.browser.restart();
      world.user.forget();
      browser.hasStarted();
      return undefined;
    case 'restore':
      return world.restore();
    case 'fault':
      for (let i = 0; i < command.times; i += 1) network.faults.push({ target: command.target, fault: command.fault });
      return undefined;
    case 'lie':
      network.lie = command.lie;
      return undefined;
    case 'operators':
      return setOperators(world, command);
    case 'call':
      void world.applications.act(command).catch((error: unknown) => (world.trouble = error));
      if (command.attended) void world.user.attend(ATTENDED_WINDOWS, command.allowance);
      return undefined;
    case 'restrain': {
      const origin = APPLICATIONS[command.app] ?? '';
      void world.user.restrain({ what: command.what, origin }).catch(() => undefined);
      return undefined;
    }
    case 'swipe limits':
      if (BigInt(command.satoshis) > world.swipeLimit) world.swipeLimit = BigInt(command.satoshis);
      void world.user.limitSwipes(command.satoshis).catch(() => undefined);
      return undefined;
    case 'other browser':
      return world.openOther();
    case 'send elsewhere': {
      const { other } = world;
      if (!other) return undefined;
      const deal = world.newDeal({ origin: '', asked: { satoshis: BigInt(command.satoshis) }, automatic: false }, {});
      deal.browser = OTHER;
      void world
        .userAt(other)
        .send(deal, { do: 'send', satoshis: command.satoshis, windows: 1 })
        .catch(() => undefined);
      return undefined;
    }
    case 'account':
      void world.user.move(command.at === 'shop' ? SHOP : SERVICE).catch(() => undefined);
      world.hadAccountAtShop ||= command.at === 'shop';
      return undefined;
    case 'give asset':
      world.received.push(world.assets.give(command, world.receiveAddress));
      return undefined;
    case 'open assets':
      void world.assets.open().catch(() => undefined);
      return undefined;
    case 'send asset':
      return sendAsset(world, command);
    case 'sign in':
      return world.signIns.ask(command);
    case 'swipe':
      return swipe(world, command);
    case 'retry':
      return retry(world, command.deal);
    case 'probe':
      void world.user.probe().then(
        (isTooLittle) => isTooLittle !== null && world.onProbe(isTooLittle),
        () => undefined,
      );
      return undefined;
    case 'clock':
      return world.setClock(command.ahead);
    case 'nothing':
      return undefined;
  }
}

function setOperators(world: World, { dialects, chosen }: Extract<Command, { do: 'operators' }>): void {
  const { network, browser } = world;
  for (const [place, operator] of network.operators.entries()) operator.dialect = dialects[place] as Dialect;
  if (!chosen) return;
  network.firstOperator = 1;
  const choice = { network: 'devnet', arcUrl: SERVICE + OPERATOR_PATHS[1], wocUrl: `${SERVICE}/woc` } as const;
  void browser.ask('popup', 'network/choose', choice).catch(() => undefined);
}

/** Retries a payment that was reported to its page as contested. */
function retry(world: World, place: number): void {
  const { deals, browser } = world;
  const records = browser.data.all<PaymentRecord>('payments').filter(isLive);
  const isInDoubt = ({ requestId, origin, isAction, yes, answer }: Deal) =>
    origin !== '' &&
    !isAction &&
    yes !== 'none' &&
    answer !== null &&
    'error' in answer &&
    answer.error === 'payment-contested' &&
    // Payments without a record failed permanently, because a transaction in a block conflicts with them.
    records.some((record) => record.requestId === requestId);
  // Users don't retry a payment while a retry is in progress, or after an attempt was reported as paid or pending.
  const isInProgress = ({ first, answer, isLeft }: Deal) => first !== null && answer === null && !isLeft;
  const paid = new Set(deals.filter((one) => isPaidOrPending(one) || isInProgress(one)).map((one) => one.first ?? one));
  const doubtful = deals.filter((one) => isInDoubt(one) && !paid.has(one.first ?? one));
  const before = doubtful[place % Math.max(1, doubtful.length)];
  if (!before) return;
  const { origin, asked, automatic } = before;
  const deal = world.newDeal({ origin, asked, automatic }, {});
  deal.first = before.first ?? before;
  world.pages.request(browser, deal, true);
}

function sendAsset(world: World, command: Extract<Command, { do: 'send asset' }>): void {
  const hash = otherAddress(world.deals.filter(({ isOfAsset }) => isOfAsset).length);
  const deal = world.newDeal({ origin: '', asked: { satoshis: 1n }, automatic: false }, command, hash);
  deal.isOfAsset = true;
  void world.assets.send(deal, command).catch(() => undefined);
}

function swipe(world: World, { site, satoshis, dollars, ...elsewhere }: Extract<Command, { do: 'swipe' }>): void {
  const asked = askedOf(satoshis, dollars);
  world.swipes.start(world.newDeal({ origin: `https://site${site}.example`, asked, automatic: false }, elsewhere));
}

function ask(
  world: World,
  { site, satoshis, automatic, hand, dollars, ...elsewhere }: Extract<Command, { do: 'ask' }>,
): void {
  const asked = askedOf(satoshis, dollars);
  const deal = world.newDeal({ origin: `https://site${site}.example`, asked, automatic }, elsewhere);
  world.pages.request(world.browser, deal, hand);
}
