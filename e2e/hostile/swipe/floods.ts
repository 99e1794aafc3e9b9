/**
 * Tests pages that make too many, too frequent or malformed offers. The wallet must keep responding, and keep serving
 * other pages.
 */
import type { Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { fence } from '../../drive/raw-page.ts';
import { swipeFrames } from '../../../tooling/drive/trusted-swipe.ts';
import { MAX_SWIPE_FRAMES } from '../../../protocol/messages/wire.ts';
import { OUTPUT, type Arena } from './arena.ts';

/** Counts the wallet's frames in a page. Puppeteer still lists a frame for a while after its removal. */
const hosts = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelectorAll(':root > [popover]').length);

const ASKED = JSON.stringify({ options: { outputs: [OUTPUT] } });

export function floods(arena: () => Arena): void {
  const nonsense = [
    '"{"',
    '"null"',
    '"[]"',
    '"7"',
    '"x".repeat(3000000)',
    '"[".repeat(100000)',
    '{ options: { outputs: [] } }',
    '{ options: { outputs: [{}] } }',
    '{ options: { outputs: [{ to: "x".repeat(100000), amount: "1", currency: "USD" }] } }',
    '{ options: { outputs: [{ to: "nobody", amount: "1", currency: "USD" }] } }',
    `{ options: { outputs: [{ ...${JSON.stringify(OUTPUT)}, amount: "-1" }] } }`,
    `{ options: { outputs: [{ ...${JSON.stringify(OUTPUT)}, amount: "1e9" }] } }`,
    `{ options: { outputs: [{ ...${JSON.stringify(OUTPUT)}, amount: 0.1 }] } }`,
    `{ options: { outputs: [{ ...${JSON.stringify(OUTPUT)}, currency: "XXX" }] } }`,
    `{ options: { outputs: [{ script: "6a", amount: "1", currency: "USD" }] } }`,
    `{ options: { outputs: [${JSON.stringify(OUTPUT)}], __proto__: { x: 1 }, constructor: 1 } }`,
    `{ options: { outputs: [${JSON.stringify(OUTPUT)}] }, service: "javascript:alert(1)", swipe: "intact", id: "${'a'.repeat(32)}" }`,
    `'{"options":{"outputs":[${JSON.stringify(OUTPUT)}],"__proto__":{"automatic":true}}}'`,
    `{ options: { outputs: Array.from({ length: 1000 }, () => (${JSON.stringify(OUTPUT)})) } }`,
  ];
  test('invalid offers get no track, and the relay keeps working', async () => {
    const { page, open, run } = arena();
    await open();
    for (const detail of nonsense) await run(`offer(${detail}); drawn()`);
    await run(`for (const detail of [undefined, null, 7, {}, [], () => 1, Symbol.iterator, 9n, { toString() { throw 1 } }, new Proxy({}, { get() { throw 1 } }), document])
      for (const one of [button, document.body, document.documentElement, document, window])
        try { one.dispatchEvent(new CustomEvent('service-button-offer', { bubbles: true, composed: true, detail })) } catch {}`);
    await fence(page);
    expect(swipeFrames(page)).toEqual([]);
    await arena().expectNothing();
    // The same relay serves a legitimate button.
    await arena().stand();
  });
}

export function moreFloods(arena: () => Arena): void {
  test('thousands of buttons share a few tracks', async () => {
    const { page, open, run } = arena();
    await open('<div id="many"></div>');
    await run(`{
      const many = document.getElementById('many');
      for (let i = 0; i < 3000; i += 1) {
        const one = Object.assign(document.createElement('div'), { id: 'b' + i, className: 'service-button' });
        one.style.cssText = 'position:absolute;width:300px;height:48px;left:' + (i % 2) * 310 + 'px;top:' + (200 + 50 * (i % 12)) + 'px';
        many.append(one);
        dress(one);
        offer(${ASKED}, one);
      }
    }`);
    await fence(page);
    await run('drawn()');
    await fence(page);
    expect(await hosts(page)).toBeLessThanOrEqual(MAX_SWIPE_FRAMES);
    await arena().expectNothing();
  });

  test('a button that changes its offer a thousand times gets at most one track', async () => {
    const { page, open, run } = arena();
    await open();
    await run(
      `for (let i = 0; i < 1000; i += 1) offer({ options: { outputs: [{ ...${JSON.stringify(OUTPUT)}, amount: '0.' + (1000 + i) }] } })`,
    );
    await fence(page);
    expect(await hosts(page)).toBeLessThanOrEqual(1);
    await arena().expectNothing();
  });

  test('messages in the internal format of relay, track and wallet have no effect', async () => {
    const { page, open, run, stand } = arena();
    await open();
    await stand();
    await run(`for (const said of [{ swipe: 'intact', id: '${'a'.repeat(32)}' }, { swipe: 'swiped', id: '${'a'.repeat(32)}' }, { swipe: 'vouch' }, { swipe: 'offered', button: 0, id: '${'a'.repeat(32)}', secret: '${'a'.repeat(32)}' }, { secret: '${'a'.repeat(32)}', look: {} }, { drawn: true }])
      for (const shape of [said, { channel: 'service-button/1', to: 'wallet', ...said }, { channel: 'service-button/1', to: 'page', ...said }, { channel: 'service-button/1', to: 'wallet', id: 'abcdefgh', method: 'swipe', params: said }])
        postMessage(shape, '*');
      for (const name of ['service-button-swiped', 'service-button-offer']) for (const one of [host(), button, button.shadowRoot.querySelector('[part=track]'), document, window]) one.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail: '${'a'.repeat(32)}' }))`);
    await fence(page);
    await arena().expectNothing();
  });
}
