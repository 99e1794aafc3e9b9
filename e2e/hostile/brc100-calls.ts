/** Tests attacks by hostile pages through calls to BRC-100 methods. */
import { expect, test } from 'vitest';
import type { Frame, Page } from 'puppeteer-core';
import { BRC100_METHODS } from '../../protocol/messages/wire.ts';
import { ACTION, call, XDM_SCRIPT, type CallResponse, type XdmWindow, KEY } from '../drive/applications.ts';
import { rawPage } from '../drive/raw-page.ts';
import type { Scene } from '../drive/scene.ts';
import type { Visits } from '../drive/visits.ts';
import { approve, ask, readyApproval, refuse, stored } from '../../tooling/drive/wallet.ts';
import { argsOf, OUTPUT, steps } from './brc100-steps.ts';

export function hostileCalls(stage: () => Scene, { openSite, openPage }: Visits): void {
  const { windows, rows, originIn, said, frameIn, post, answersIn, fence, dismiss, expectNothing } = steps(stage);

  test('every method opens a window or is rejected, and reveals nothing, for a page, its own frame and another site’s frame', async () => {
    const origins: string[] = [];
    for (const place of ['page', 'frame of its own', 'frame of another site']) {
      // Each case uses new sites, because a site must wait after its window is closed.
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
