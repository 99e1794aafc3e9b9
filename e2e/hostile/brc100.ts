/** Tests attacks by hostile pages through BRC-100: `window.CWI` and its messages. */
import { expect, test } from 'vitest';
import type { Frame, Page } from 'puppeteer-core';
import type { Brc100Method } from '../../protocol/brc100/methods.ts';
import { BRC100_METHODS } from '../../protocol/messages/wire.ts';
import { ACTION, call, KEY, XDM_SCRIPT, type CallResponse, type XdmWindow } from '../drive/applications.ts';
import { rawPage } from '../drive/raw-page.ts';
import type { Scene } from '../drive/scene.ts';
import type { Visits } from '../drive/visits.ts';
import { approve, ask, readyApproval, refuse, stored } from '../../tooling/drive/wallet.ts';

const BYTES = { data: [1], hmac: Array(32).fill(0), plaintext: [1], ciphertext: Array(48).fill(0), signature: [48] };
const OUTPUT = `${'00'.repeat(32)}.0`;
const WITH_KEY = ['encrypt', 'decrypt', 'createHmac', 'verifyHmac', 'createSignature', 'verifySignature'];
const ARGS: Partial<Record<Brc100Method, object>> = {
  createAction: ACTION,
  signAction: { reference: 'AAAA', spends: {} },
  abortAction: { reference: 'AAAA' },
  listActions: { labels: [] },
  internalizeAction: {
    tx: [1, 2, 3],
    outputs: [{ outputIndex: 0, protocol: 'basket insertion', insertionRemittance: { basket: 'things' } }],
    description: 'Some things',
  },
  listOutputs: { basket: 'things' },
  relinquishOutput: { basket: 'things', output: OUTPUT },
  getPublicKey: { identityKey: true },
  getHeaderForHeight: { height: 0 },
};
const argsOf = (method: Brc100Method) => ARGS[method] ?? (WITH_KEY.includes(method) ? { ...KEY, ...BYTES } : {});
/** Methods with public results, which reveal nothing about the user. */
const HARMLESS = ['isAuthenticated', 'getHeight', 'getHeaderForHeight', 'getNetwork', 'getVersion'];

/** Returns the helpers that both lists of attacks share. */
function steps(stage: () => Scene) {
  const windows = () => stage().wallet.approvalCount().ever;
  const rows = async (store: string) => (await stored<{ origin: string }>(stage().page, store)).length;
  const originIn = (approval: Page) => approval.$eval('[data-part=origin]', (shown) => shown.textContent);
  const said = (approval: Page) => approval.evaluate(() => document.body.innerText);
  const frameIn = async (page: Page): Promise<Frame> =>
    (await (await page.waitForSelector('iframe'))?.contentFrame()) as Frame;
  const post = (frame: Page | Frame, id: string, method: unknown, args?: unknown) =>
    frame.evaluate((...given) => (window as unknown as XdmWindow).xdm(...given), id, method, args);
  /** Returns the messages that a frame's own script has received. Calls through `window.CWI` have other IDs (UUIDs). */
  const answersIn = (frame: Page | Frame) =>
    frame.evaluate(() => (window as unknown as XdmWindow).answers.filter(({ id }) => id.length < 36));
  const fence = async (...frames: (Page | Frame)[]) => {
    for (const frame of frames) expect((await call(frame, 'getVersion')).result).toBeDefined();
  };
  const dismiss = async () => {
    for (const window of await stage().wallet.approvals()) await window.close();
  };
  /** Expects that calls without permission returned nothing about the user. */
  function expectNothing(answers: readonly [string, CallResponse][]): void {
    for (const [method, { result, error }] of answers) {
      if (result) expect(HARMLESS, method).toContain(method);
      else
        expect(error, method).toMatchObject({
          code: expect.any(Number) as number,
          name: expect.stringMatching(/^WERR_/) as string,
        });
    }
  }

  return { windows, rows, originIn, said, frameIn, post, answersIn, fence, dismiss, expectNothing };
}

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
      // Forged events that claim the origin of another site, another source window or no source.
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
        // Once in the frame, before the wallet can be injected there, and once in the page, which already has the
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

export function hostileCalls(stage: () => Scene, { openSite, openPage }: Visits): void {
  const { windows, rows, originIn, said, frameIn, post, answersIn, fence, dismiss, expectNothing } = steps(stage);

  test('every method opens a window or is rejected, and reveals nothing, for a page, its own frame and another site’s frame', async () => {
    const origins: string[] = [];
    for (const place of ['page', 'frame of its own', 'frame of another site']) {
      // Each case uses new sites, because a site must wait after its window was closed.
      const [{ site: outer }, { site: inner }] = [await openSite(), await openSite()];
      outer.page('/own', rawPage('<iframe src="/"></iframe>'));
      outer.page('/other', rawPage(`<iframe src="${inner.origin}/"></iframe>`));
      const path = place === 'page' ? '/' : place === 'frame of its own' ? '/own' : '/other';
      const page = await openPage(outer, path);
      const frame = place === 'page' ? page : await frameIn(page);
      const own = place === 'frame of another site' ? inner.origin : outer.origin;
      origins.push(own);
      const before = { windows: windows(), payments: await rows('permissions') };
      const answers: [string, CallResponse][] = [];
      const all = BRC100_METHODS.map((method) =>
        call(frame, method, argsOf(method)).then((answer) => answers.push([method, answer])),
      );
      const approval = await stage().wallet.approval();
      await approval.waitForSelector('[data-part=origin]');
      expect(await originIn(approval)).toBe(own);
      await dismiss();
      await Promise.all(all);
      expectNothing(answers);
      const answered = (method: string) => answers.find(([name]) => name === method)?.[1].result;
      expect([answered('listActions'), answered('isAuthenticated')]).toEqual([undefined, { authenticated: false }]);
      expect(windows()).toBe(before.windows + 1);
      expect(await rows('permissions')).toBe(before.payments);
      await page.close();
    }
    expect(
      (await stored<{ origin: string; signed: unknown }>(stage().page, 'payments')).filter(
        ({ origin, signed }) => signed && origins.includes(origin),
      ),
    ).toEqual([]);
  });

  test('the identity key and its signatures need a connection, which another site’s frame can’t request', async () => {
    const [{ site: outer }, { site: inner, page }] = [await openSite(), await openSite()];
    outer.page('/other', rawPage(`<iframe src="${inner.origin}/"></iframe>`));
    const around = await openPage(outer, '/other');
    const frame = await frameIn(around);
    const key = { ...KEY, protocolID: [0, 'sealed notes'], counterparty: 'anyone' };
    const before = windows();
    const attacks = (where: Page | Frame, more: object = {}) =>
      Promise.all([
        call(where, 'getPublicKey', { ...key, ...more, forSelf: true }),
        call(where, 'createSignature', { ...key, ...more, data: [1] }),
      ]);
    for (const { error } of [...(await attacks(frame)), ...(await attacks(page, { seekPermission: false }))])
      expect(error).toMatchObject({ reason: 'permission-refused' });
    expect(windows()).toBe(before);
    const asked = attacks(page);
    const approval = await readyApproval(stage().wallet, 'permit');
    expect(await said(approval)).toContain('who you are');
    await approve(stage().wallet, undefined, 'permit');
    for (const { result } of await asked) expect(result).toBeDefined();
    expect(windows()).toBe(before + 1);
  });

  test('frames of one site that use the same ids get their own responses', async () => {
    const { site } = await openSite();
    site.page('/frame', rawPage(XDM_SCRIPT));
    site.page('/frames', rawPage('<iframe src="/frame"></iframe><iframe src="/frame"></iframe>'));
    const page = await openPage(site, '/frames');
    const frames = page.mainFrame().childFrames();
    for (const frame of frames) await frame.waitForFunction(() => 'xdm' in window);
    const asked = ['getVersion', 'getNetwork'];
    await Promise.all(frames.map((frame, i) => post(frame, '1', asked[i])));
    await fence(...frames);
    const heard = await Promise.all(frames.map(answersIn));
    expect(heard).toEqual([
      [expect.objectContaining({ id: '1', result: { version: expect.any(String) as string } })],
      [expect.objectContaining({ id: '1', result: { network: 'testnet' } })],
    ]);
  });

  test('prototypes, getters and overridden functions of a page change its requests, but not the wallet’s behavior', async () => {
    const { site } = await openSite();
    const hostile = `<script>
      var post = window.postMessage.bind(window), real = { JSON: JSON.stringify, promise: Promise };
      for (const name of ['toJSON', 'args', 'call', 'result', 'origin', 'userActivation', 'identityKey', 'permission'])
        Object.defineProperty(Object.prototype, name, { configurable: true, get() { return name === 'toJSON' ? undefined : 'polluted'; }, set() {} });
      Array.prototype.toJSON = () => ['polluted'];
      Array.prototype.includes = () => true;
      Map.prototype.get = Map.prototype.has = () => undefined;
      Object.freeze = Object.fromEntries = Object.assign = (one) => one;
      JSON.stringify = JSON.parse = () => '{"polluted":1}';
      crypto.randomUUID = () => 'always-the-same';
      window.postMessage = () => {};
      window.CWI = { getVersion: () => 'mine' };
      chrome = { runtime: { connect() { throw 1; }, getURL: () => 'https://evil.example/' } };
      var spoken = [];
      addEventListener('message', (event) => { if (event.data && event.data.type === 'CWI' && !event.data.isInvocation) spoken.push(event.data); });
    </script>`;
    site.page('/hostile', rawPage(hostile));
    const page = await openPage(site, '/hostile');
    const before = windows();
    await page.evaluate((output) => {
      const { post } = window as any;
      const say = (id: string, call: unknown, args: unknown) =>
        post({ type: 'CWI', isInvocation: true, id, call, args }, '*');
      let reads = 0;
      const changing = {
        get basket() {
          return (reads += 1) === 1 ? 'default' : 'things';
        },
      };
      say('changing', 'listOutputs', changing);
      say('names', { toString: 1, valueOf: 1 }, {});
      say('own', '__proto__', {});
      say('constructor', 'constructor', {});
      say(
        'proto',
        'relinquishOutput',
        Object.create({ basket: 'things' }, { output: { value: output, enumerable: true } }),
      );
      let thrown = 0;
      for (const args of [new Proxy({}, {}), { toJSON() {} }]) {
        try {
          say('proxy', 'getVersion', args);
        } catch {
          thrown += 1;
        }
      }
      say('version', 'getVersion', {});
      (window as any).thrown = thrown;
    }, OUTPUT);
    const heard = () =>
      page.evaluate(() => {
        const all: Record<string, string> = {};
        for (const { id, status, reason, parameter, code } of (window as any).spoken)
          all[id] = `${status} ${reason ?? parameter ?? code ?? ''}`;
        return all;
      });
    await expect.poll(heard).toEqual({
      changing: 'error reserved-name',
      names: 'error 2',
      own: 'error 2',
      constructor: 'error 2',
      proto: 'error basket',
      version: 'success ',
    });
    expect(await page.evaluate(() => (window as any).thrown)).toBe(2);
    expect(windows()).toBe(before);
    const worker = await stage().wallet.worker();
    expect(await worker.evaluate(() => [Object.keys(Object.prototype), Object.keys(Array.prototype)])).toEqual([
      [],
      [],
    ]);
  });

  test('a revoked permission or a blocked site applies to the next call, also after the worker was killed', async () => {
    const { site, page } = await openSite();
    const hmac = () => call(page, 'createHmac', { ...KEY, data: [1], seekPermission: false });
    const given = call(page, 'createHmac', { ...KEY, data: [1] });
    await approve(stage().wallet, undefined, 'permit');
    await given;
    await ask(stage().page, 'sites/block', { origin: site.origin, hours: 1 });
    expect((await hmac()).error).toMatchObject({ reason: 'site-blocked' });
    await ask(stage().page, 'sites/unblock', { origin: site.origin });
    expect((await hmac()).result).toBeDefined();
    await ask(stage().page, 'sites/forbid', { origin: site.origin, name: 'protocol 1 * sealed notes' });
    expect((await hmac()).error).toMatchObject({ reason: 'permission-refused' });
    await stage().wallet.killWorker();
    expect((await hmac()).error).toMatchObject({ reason: 'permission-refused' });
  });

  const departures: [string, (page: Page, elsewhere: string) => Promise<unknown>][] = [
    ['is reloaded', (page) => page.reload()],
    ['goes elsewhere', (page, elsewhere) => page.goto(elsewhere)],
    ['removes its frame', (page) => page.evaluate(() => document.querySelector('iframe')?.remove())],
  ];
  test.each(departures)('a page that %s ends its requests, including those in the queue', async (_, leave) => {
    const [{ site }, { site: inner }] = [await openSite(), await openSite()];
    site.page('/frame', rawPage(`<iframe src="${inner.origin}/"></iframe>`));
    const page = await openPage(site, '/frame');
    const frame = await frameIn(page);
    const [opened, permissions] = [windows(), await rows('permissions')];
    const lost = [
      call(frame, 'createAction', ACTION),
      call(frame, 'getPublicKey', { identityKey: true }),
      call(frame, 'createAction', { ...ACTION, description: 'Take more' }),
    ].map((one) => one.catch(() => null));
    await stage().wallet.approval();
    await leave(page, `${inner.origin}/`);
    await stage().wallet.noApproval();
    await Promise.all(lost);
    if (!page.url().startsWith(inner.origin)) await fence(page);
    expect(windows()).toBe(opened + 1);
    expect(await rows('permissions')).toBe(permissions);
    const payments = await stored<{ origin: string; signed: unknown; state: string }>(stage().page, 'payments');
    for (const { origin, signed, state } of payments)
      if (origin === inner.origin) expect([signed, state]).toEqual([null, 'refused']);
  });

  test('an approval covers exactly the action shown: a repeated reference or an abort doesn’t change it', async () => {
    const { site } = await openSite();
    site.page('/xdm', rawPage(XDM_SCRIPT));
    const page = await openPage(site, '/xdm');
    await post(page, 'mine', 'createAction', { ...ACTION, options: { randomizeOutputs: false } });
    const approval = await readyApproval(stage().wallet);
    const shown = await said(approval);
    await post(page, 'mine', 'createAction', {
      ...ACTION,
      outputs: ACTION.outputs.map((one) => ({ ...one, satoshis: 500_000 })),
    });
    for (const reference of ['AAAA', '00'.repeat(32)])
      expect((await call(page, 'abortAction', { reference })).error).toMatchObject({ parameter: 'reference' });
    expect(await said(approval)).toBe(shown);
    const before = windows();
    await approve(stage().wallet);
    await page.waitForFunction(() => (window as unknown as XdmWindow).answers.some(({ id }) => id === 'mine'));
    await fence(page);
    const paid = (
      await stored<{ origin: string; state: string; quote: { satoshis: string } }>(stage().page, 'payments')
    ).filter(({ origin }) => origin === site.origin);
    expect(paid.map(({ quote }) => quote.satoshis)).toEqual(['1000']);
    expect(windows()).toBe(before);
    // A call with the same ID after a reload is a different call.
    await page.reload();
    await post(page, 'mine', 'createAction', { ...ACTION, options: { randomizeOutputs: false } });
    await refuse(stage().wallet);
    await page.waitForFunction(() => (window as unknown as XdmWindow).answers.length === 1);
    expect(await answersIn(page)).toMatchObject([{ id: 'mine', status: 'error', reason: 'refused' }]);
  });
}
