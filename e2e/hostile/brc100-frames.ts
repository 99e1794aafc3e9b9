/** Tests attacks through `window.CWI` and its messages by pages and the frames in them. */
import { expect, test } from 'vitest';
import type { Frame } from 'puppeteer-core';
import type { Brc100Method } from '../../protocol/brc100/methods.ts';
import { call, XDM_SCRIPT, type XdmWindow, KEY } from '../drive/applications.ts';
import { rawPage } from '../drive/raw-page.ts';
import type { Scene } from '../drive/scene.ts';
import type { Visits } from '../drive/visits.ts';
import { approve } from '../../tooling/drive/wallet.ts';
import { argsOf, steps } from './brc100-steps.ts';

export function hostileFrames(stage: () => Scene, { openSite, openPage }: Visits): void {
  const { windows, frameIn, post, answersIn, fence } = steps(stage);

  test('a frame without an origin has no wallet, and no page can use another frame’s', async () => {
    const [{ site: outer }, { site: inner }] = [await openSite(), await openSite()];
    inner.page('/frame', rawPage(XDM_SCRIPT));
    outer.page(
      '/frames',
      rawPage(
        `${XDM_SCRIPT}<iframe src="${inner.origin}/frame"></iframe><iframe sandbox="allow-scripts" src="${inner.origin}/frame"></iframe>`,
      ),
    );
    const page = await openPage(outer, '/frames');
    const [frame, sandboxed] = page.mainFrame().childFrames() as [Frame, Frame];
    for (const one of [frame, sandboxed]) await one.waitForFunction(() => 'xdm' in window);
    expect(await sandboxed.evaluate(() => [origin, 'CWI' in window])).toEqual(['null', false]);
    const before = windows();
    for (const method of ['getVersion', 'createAction', 'getPublicKey']) {
      await post(sandboxed, `own-${method}`, method, argsOf(method as Brc100Method));
      for (const one of [frame, sandboxed])
        await one.evaluate(
          (name, args) => (window as unknown as XdmWindow).xdm(`up-${name}`, name, args, parent),
          method,
          argsOf(method as Brc100Method),
        );
      await page.evaluate(
        (name, args) => {
          for (const { contentWindow } of document.querySelectorAll('iframe'))
            (window as unknown as XdmWindow).xdm(`down-${name}`, name, args, contentWindow);
        },
        method,
        argsOf(method as Brc100Method),
      );
      // Forged events that claim another site's origin, a different source window, or no source.
      await frame.evaluate((name) => {
        const data = { type: 'CWI', isInvocation: true, id: `forged-${name}`, call: name, args: {} };
        for (const forged of [
          { data, origin: 'https://bank.example', source: window },
          { data, origin: location.origin, source: parent },
          { data, origin: location.origin },
          { data, source: window },
        ])
          dispatchEvent(new MessageEvent('message', forged));
      }, method);
    }
    await fence(page, frame);
    for (const one of [page, frame, sandboxed]) expect(await answersIn(one)).toEqual([]);
    expect(windows()).toBe(before);
  });

  test('a page that freezes and wraps built-in objects gets its responses, and intercepts nothing else', async () => {
    const { site } = await openSite();
    site.page(
      '/listens',
      rawPage(`<iframe></iframe><script>
        var heard = [];
        // Wraps functions in the frame, before the wallet can be injected there, and in the page, which already has the
        // wallet.
        for (const view of [document.querySelector('iframe').contentWindow, window]) {
          const listen = (on, name) => {
            const real = on[name];
            on[name] = function (...given) { try { heard.push(String([this, ...given])); } catch {} return real.apply(this, given); };
          };
          listen(view.Promise.prototype, 'then');
          listen(view.Array.prototype, 'map');
          listen(view.JSON, 'parse');
          listen(view.JSON, 'stringify');
          for (const one of [view.Object, view.Array, view.Promise]) Object.freeze(one.prototype);
        }
      </script>`),
    );
    const page = await openPage(site, '/listens');
    expect((await call(page, 'getNetwork')).result).toEqual({ network: 'testnet' });
    const before = windows();
    const asked = call(page, 'createHmac', { ...KEY, data: [1] });
    await approve(stage().wallet, undefined, 'permit');
    expect((await asked).result).toMatchObject({ hmac: expect.any(Array) as number[] });
    expect(windows()).toBe(before + 1);
    const heard = await page.evaluate(() => (window as unknown as { heard: string[] }).heard.join('\n'));
    expect(heard).not.toMatch(/-extension:|moz-extension|seed|identity/);
    const worker = await stage().wallet.worker();
    expect(await worker.evaluate(() => [Object, Array, Promise].map((one) => Object.isFrozen(one.prototype)))).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('a page that changes a frame before the wallet is injected affects only that frame', async () => {
    const { site } = await openSite();
    site.page('/frame', rawPage(XDM_SCRIPT));
    site.page(
      '/prepares',
      rawPage(`<script>
        const frame = document.body.appendChild(document.createElement('iframe'));
        const view = frame.contentWindow;
        Object.defineProperty(view, 'CWI', { value: 'mine', configurable: false, writable: false });
        view.JSON.stringify = () => '{}';
        view.Promise = class {};
        frame.src = '/frame';
      </script>`),
    );
    const page = await openPage(site, '/prepares');
    const frame = await frameIn(page);
    await frame.waitForFunction(() => 'xdm' in window);
    await post(frame, 'a', 'getNetwork', {});
    await frame.waitForFunction(() => (window as unknown as XdmWindow).answers.length > 0);
    expect(await answersIn(frame)).toMatchObject([{ id: 'a', result: { network: 'testnet' } }]);
    await fence(page);
  });
}
