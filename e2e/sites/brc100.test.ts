/** Tests BRC-100 applications: prompts, unmodified clients, and hostile pages. */
import { join } from 'node:path';
import type { Frame, Page } from 'puppeteer-core';
import { build } from 'vite';
import { afterEach, describe, expect, test } from 'vitest';
import type { Permission } from '../../protocol/messages/permission.ts';
import { call, callByClick, KEY, SOMEBODY } from '../drive/applications.ts';
import { rawPage } from '../drive/raw-page.ts';
import { setScene, type Scene } from '../drive/scene.ts';
import { onStage } from '../drive/stage.ts';
import { makeVisits } from '../drive/visits.ts';
import { approve, readyApproval, refuse, stored } from '../../tooling/drive/wallet.ts';
import { hostileFrames } from '../hostile/brc100-frames.ts';
import { strangers } from '../hostile/strangers.ts';

let scene: Scene;

const visits = makeVisits(() => scene);

const { openSite, openPage } = visits;

onStage(
  async () => {
    scene = await setScene({ satoshis: 5_000_000 });
  },
  () => scene?.end(),
);

afterEach(async () => {
  await visits.end();
});

const windows = () => scene.wallet.approvalCount().ever;

const part = (approval: Page, name: string) => approval.$eval(`[data-part=${name}]`, (one) => one.textContent);

const permissionsOf = async (origin: string) =>
  (await stored<{ origin: string; name: string; permission: Permission }>(scene.page, 'permissions'))
    .filter((one) => one.origin === origin)
    .map(({ name }) => name);

async function sitesTab(origin: string): Promise<Page> {
  const popup = await scene.wallet.open('popup');
  visits.closeLater(popup);
  await (await popup.waitForSelector('::-p-text(Sites)'))?.click();
  await (await popup.waitForSelector(`details[data-site="${origin}"] summary`))?.click();
  return popup;
}

describe('the user is asked', () => {
  const withSomebody = { ...KEY, protocolID: [2, 'sealed notes'], counterparty: SOMEBODY };
  test.each<[string, Parameters<typeof call>[1], object, string, Record<string, string>]>([
    ['to connect', 'createHmac', { ...KEY, protocolID: [0, 'sealed notes'], data: [1] }, 'connect', {}],
    [
      'to use a protocol with somebody',
      'createHmac',
      { ...withSomebody, data: [1] },
      `protocol 2 ${SOMEBODY} sealed notes`,
      { purpose: 'sealed notes', counterparty: SOMEBODY },
    ],
  ])(
    '%s: a rejection is final, an approval is remembered, listed under Sites and revoked there',
    async (_, method, args, name, parts) => {
      const { site, page } = await openSite();
      const before = windows();
      const first = await callByClick(page, method, args);
      const approval = await readyApproval(scene.wallet, 'permit');
      expect(await part(approval, 'origin')).toBe(site.origin);
      for (const [shown, text] of Object.entries(parts)) expect(await part(approval, shown)).toContain(text);
      await refuse(scene.wallet, 'permit');
      expect((await first.answer).error).toMatchObject({ code: 1, reason: 'permission-refused' });
      expect((await call(page, method, args)).error).toMatchObject({ reason: 'permission-refused' });
      expect(windows()).toBe(before + 1);

      const second = await callByClick(page, method, args);
      await approve(scene.wallet, undefined, 'permit');
      expect((await second.answer).result).toBeDefined();
      expect(await call(page, method, args)).toEqual(await second.answer);
      expect(windows()).toBe(before + 2);
      expect(new Set(await permissionsOf(site.origin))).toEqual(new Set(['connect', name]));

      const popup = await sitesTab(site.origin);
      await (await popup.waitForSelector(`[data-permission="${name}"] [data-action=forbid]`))?.click();
      await expect.poll(() => permissionsOf(site.origin)).not.toContain(name);
      expect((await call(page, method, { ...args, seekPermission: false })).error).toMatchObject({
        reason: 'permission-refused',
      });
    },
  );

  test('all permissions in a site’s manifest are requested in one window, and those the user excludes are denied', async () => {
    const { site, page } = await openSite();
    const groupPermissions = {
      protocolPermissions: [{ protocolID: [1, 'sealed notes'], description: 'To seal your notes' }],
      basketAccess: [{ basket: 'things', description: 'To keep your things' }],
      spendingAuthorization: { amount: 100_000 },
    };
    site.page('/manifest.json', JSON.stringify({ metanet: { groupPermissions } }));
    const before = windows();
    const { answer } = await callByClick(page, 'createHmac', { ...KEY, data: [1] });
    const approval = await readyApproval(scene.wallet, 'permit');
    const boxes = await approval.$$('[data-part=wanted]');
    expect(boxes).toHaveLength(2);
    expect(await approval.evaluate(() => document.body.innerText)).toContain('To keep your things');
    await boxes[1]?.click();
    await approve(scene.wallet, undefined, 'permit');
    expect((await answer).result).toMatchObject({ hmac: expect.any(Array) as number[] });
    expect(await permissionsOf(site.origin)).toEqual(['connect', 'protocol 1 * sealed notes']);
    expect((await call(page, 'listOutputs', { basket: 'things' })).error).toMatchObject({
      reason: 'permission-refused',
    });
    expect(windows()).toBe(before + 1);
  });
});

describe('the unmodified @bsv/sdk client', () => {
  let script: string | undefined;
  async function sdkPage(): Promise<string> {
    script ??= await bundle();
    return rawPage(
      `<button id="pay">Pay</button><script type="module">${script.replaceAll('</script', '<\\/script')}</script>`,
    );
  }
  async function bundle(): Promise<string> {
    const entry = 'virtual:client';
    const built = await build({
      configFile: false,
      logLevel: 'error',
      root: process.cwd(),
      plugins: [
        {
          name: 'client',
          resolveId: (id) => (id === entry ? `\0${entry}` : null),
          load: (id) =>
            id === `\0${entry}`
              ? `import WalletClient from ${JSON.stringify(join(process.cwd(), 'node_modules/@bsv/sdk/dist/esm/src/wallet/WalletClient.js'))}; Object.assign(window, { WalletClient });`
              : null,
        },
      ],
      build: { write: false, minify: true, rollupOptions: { input: entry } },
    });
    const [{ output }] = [built].flat() as unknown as [{ output: [{ code: string }] }];
    return output[0].code;
  }
  const use = (frame: Page | Frame, substrate: string) =>
    frame.evaluate(async (by) => {
      const client = new (window as any).WalletClient(by);
      const { version } = await client.getVersion({});
      const { network } = await client.getNetwork({});
      const refusal = await client
        .listCertificates({ certifiers: [], types: [], limit: 1 })
        .catch((error: unknown) => error);
      const wrong = await client
        .encrypt({ protocolID: [1, 'x'], keyID: '1', plaintext: [1] })
        .catch((error: unknown) => error);
      return { version, network, refusal: refusal.code, wrong: wrong.message };
    }, substrate);

  test('finds the wallet as window.CWI, by XDM and automatically', async () => {
    const { site } = await openSite();
    site.page('/sdk', await sdkPage());
    const page = await openPage(site, '/sdk');
    await page.waitForFunction(() => 'WalletClient' in window);
    for (const substrate of ['window.CWI', 'XDM', 'auto'])
      expect(await use(page, substrate), substrate).toEqual({
        version: expect.stringMatching(/^service-button-/) as string,
        network: 'testnet',
        refusal: 2,
        wrong: expect.stringContaining('at least 5') as string,
      });
    // The intended use is encryption and decryption that the user approves.
    const sealing = page.evaluate(async (key) => {
      const client = new (window as any).WalletClient('window.CWI');
      const { ciphertext } = await client.encrypt({ ...key, plaintext: [1, 2, 3] });
      const { plaintext } = await new (window as any).WalletClient('XDM').decrypt({ ...key, ciphertext });
      return plaintext as number[];
    }, KEY);
    await approve(scene.wallet, undefined, 'permit');
    expect(await sealing).toEqual([1, 2, 3]);
  });

  test('uses a frame’s own window.CWI, and gets no response over XDM from the page around the frame', async () => {
    const [{ site: inner }, { site: outer }] = [await openSite(), await openSite()];
    inner.page('/sdk', await sdkPage());
    outer.page('/frame', rawPage(`<iframe src="${inner.origin}/sdk"></iframe>`));
    const page = await openPage(outer, '/frame');
    const frame = (await (await page.waitForSelector('iframe'))?.contentFrame()) as Frame;
    await frame.waitForFunction(() => 'WalletClient' in window);
    expect((await use(frame, 'auto')).version).toMatch(/^service-button-/);
    await frame.evaluate(() => {
      const over = () => Object.assign(window, { answered: true });
      void new (window as any).WalletClient('XDM').getVersion({}).then(over, over);
    });
    // Ensures that the page's and the frame's relays have handled all earlier messages.
    for (const one of [page, frame]) expect((await call(one, 'getVersion')).result).toBeDefined();
    expect(await frame.evaluate(() => 'answered' in window)).toBe(false);
  });
});

describe('hostile pages', () => {
  hostileFrames(() => scene, visits);
  strangers(() => scene, visits);
});
