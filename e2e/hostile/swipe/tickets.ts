/** Tests misuse of a legitimate swipe by its page, by another document, or after a change in the wallet's state. */
import { PrivateKey } from '@bsv/sdk';
import { expect, test } from 'vitest';
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { startPaymailHost } from '../../drive/paymail-host.ts';
import { fence, freshId, rawPage, replyTo, say } from '../../drive/raw-page.ts';
import { allowSwipesOnAnySite, dragByTouch } from '../../../tooling/drive/trusted-swipe.ts';
import { ask, PASSWORD } from '../../../tooling/drive/wallet.ts';
import { honestly, OUTPUT, PLACE, type Arena } from './arena.ts';

const OTHER = 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8';

async function swiped(arena: Arena, options: object = {}): Promise<void> {
  await arena.open();
  await arena.stand(options);
  await arena.swipe();
  await arena.page.waitForFunction(() => (window as unknown as { swiped: string[] }).swiped.length > 0);
}

async function asksForOther(arena: Arena, options: object): Promise<void> {
  await swiped(arena);
  expect(await arena.claim(options)).toBe('busy');
  expect(await arena.paid()).toEqual([]);
}

type Step = (arena: Arena) => Promise<unknown>;

/** Expects that the swipe isn't accepted if `happen` runs during the gesture. */
async function endsUnderHand(arena: Arena, happen: Step, undo: Step): Promise<void> {
  await arena.open();
  await arena.stand();
  await arena.swipe({ halfway: () => happen(arena) });
  await fence(arena.page);
  expect(await arena.claim()).not.toBe('paid');
  expect(await arena.claim()).not.toBe('paid');
  expect(await arena.paid()).toEqual([]);
  await undo(arena);
}

export function tickets(arena: () => Arena): void {
  test('a page that requests more money after a swipe gets a window', () =>
    asksForOther(arena(), { outputs: [{ ...OUTPUT, amount: '0.11' }] }));

  test('a request from another tab or frame than the swiped one gets a window', async () => {
    const { site, scene, page } = arena();
    site.page('/beside', rawPage());
    const beside = await scene.wallet.browser.newPage();
    await beside.goto(`${site.origin}/beside`);
    await swiped(arena());
    await page.evaluate(
      () =>
        new Promise((done) => {
          const made = document.body.appendChild(document.createElement('iframe'));
          made.addEventListener('load', done);
          made.src = '/beside';
        }),
    );
    const frame = page.frames().find((one) => one.url().endsWith('/beside'));
    expect(await arena().claim({}, beside)).toBe('busy');
    if (frame) expect(await arena().claim({}, frame)).toBe('busy');
    expect(await arena().paid()).toEqual([]);
    await beside.close();
  });

  test('nothing is paid if the wallet locks during the swipe', () =>
    endsUnderHand(
      arena(),
      ({ scene }) => ask(scene.page, 'vault/lock', {}),
      ({ scene }) => ask(scene.page, 'vault/unlock', { password: PASSWORD }),
    ));

  test('nothing is paid without a window if the amount grows during the swipe', async () => {
    await arena().open();
    await arena().stand();
    const more = { outputs: [{ ...OUTPUT, amount: '0.90' }] };
    await arena().swipe({ halfway: () => arena().run(`offer(${JSON.stringify({ options: more })}); drawn()`) });
    await fence(arena().page);
    expect(await arena().claim(more)).toBe('busy');
    await arena().expectNothing();
  });

  test('an honest swipe pays once, regardless of the page’s other requests', async () => {
    await honestly(arena(), async () => {
      await swiped(arena());
      expect(await arena().claim()).toBe('paid');
    });
    expect(await arena().claim()).toBe('busy');
    expect(await arena().paid()).toHaveLength(1);
  });

  test('an honest swipe with a finger pays', () =>
    honestly(arena(), async () => {
      await arena().open();
      await arena().stand();
      const session = await arena().page.createCDPSession();
      await dragByTouch(session, PLACE);
      await session.detach();
      await arena().page.waitForFunction(() => (window as unknown as { swiped: string[] }).swiped.length > 0);
      expect(await arena().claim()).toBe('paid');
    }));
}

export function moreTickets(arena: () => Arena): void {
  test.each<[string, object]>([
    ['another recipient', { outputs: [{ ...OUTPUT, to: OTHER }] }],
    ['a second recipient', { outputs: [OUTPUT, { ...OUTPUT, to: OTHER }] }],
    ['another currency', { outputs: [{ ...OUTPUT, currency: 'EUR' }] }],
    ['additional data', { outputs: [OUTPUT], opReturn: 'I owe you' }],
    ['an additional signature', { outputs: [OUTPUT], cryptoOperations: [{ name: 'me', method: 'paymail' }] }],
    ['another label', { outputs: [OUTPUT], buttonId: 'other' }],
  ])('a page that requests %s after a swipe gets a window', (_, options) => asksForOther(arena(), options));

  test('a swipe doesn’t pay a request marked as automatic', async () => {
    await swiped(arena());
    const request = { id: freshId(), method: 'payment/request' };
    await say(arena().page, {
      ...request,
      params: {
        id: request.id,
        options: { outputs: [OUTPUT], clientIdentifier: 'test-game' },
        automatic: true,
        suggestedAmount: { amount: '1', currency: 'USD' },
      },
    });
    expect((await replyTo(arena().page, request.id)).error).toBeDefined();
    expect(await arena().paid()).toEqual([]);
  });

  test('a swipe ends when its page navigates', async () => {
    await swiped(arena());
    await arena().open();
    await arena().expectNothing();
  });

  test.each<[string, Step, Step]>([
    [
      'the user turns swipes off',
      ({ scene }) => ask(scene.page, 'swipes/switch-off', {}),
      ({ scene }) => allowSwipesOnAnySite(scene.page),
    ],
    [
      'the user blocks the site',
      ({ scene, site }) => ask(scene.page, 'sites/block', { origin: site.origin, hours: 1 }),
      ({ scene, site }) => ask(scene.page, 'sites/unblock', { origin: site.origin }),
    ],
    ['the worker dies', ({ scene }) => scene.wallet.killWorker(), async () => undefined],
  ])('nothing is paid if %s during the swipe', (_, happen, undo) => endsUnderHand(arena(), happen, undo));

  test('a name with lookalike letters gets a window', async () => {
    const key = PrivateKey.fromRandom().toPublicKey();
    const host = await startPaymailHost(toHex(p2pkhScript(Uint8Array.from(key.toHash() as number[]))), key.toString());
    const outputs = [{ to: `\u{430}lice@${host.domain}`, amount: '0.10', currency: 'USD' }];
    await arena().open();
    await arena().run(`offer({ options: { outputs: ${JSON.stringify(outputs)} } })`);
    await fence(arena().page);
    await arena().swipe();
    await fence(arena().page);
    expect(await arena().claim({ outputs })).toBe('busy');
    expect(await arena().paid()).toEqual([]);
    await host.stop();
  });
}
