/**
 * Tests documents that must not get a frame: nested, sandboxed, prerendered or cached documents, and those of a
 * different extension.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Frame, Page } from 'puppeteer-core';
import { SWIPE_PAGE } from '../../../protocol/messages/wire.ts';
import { fence, rawPage } from '../../drive/raw-page.ts';
import { hasFrame, hostilePage, OUTPUT, type Arena } from './arena.ts';

const OFFER = `offer({ options: { outputs: [${JSON.stringify(OUTPUT)}] } })`;

/** Creates another extension that contains only a page. */
export async function writeOtherExtension(): Promise<{ folder: string; id: string; remove(): Promise<void> }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'other-extension-')));
  await Promise.all([
    writeFile(
      join(folder, 'manifest.json'),
      JSON.stringify({
        manifest_version: 3,
        name: 'Another extension',
        version: '1',
      }),
    ),
    writeFile(join(folder, 'page.html'), '<!doctype html><title>Another extension</title><body></body>'),
  ]);
  // Chromium derives an unpacked extension's ID from its folder.
  const id = createHash('sha256')
    .update(folder)
    .digest('hex')
    .slice(0, 32)
    .replaceAll(/./g, (digit) => 'abcdefghijklmnop'.charAt(Number.parseInt(digit, 16)));
  return { folder, id, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function nested({ site, page }: Arena, outer: string): Promise<Frame> {
  site.page('/inner', hostilePage());
  site.page('/outer', rawPage(outer));
  await page.goto(`${site.origin}/outer`);
  const frame = await page.waitForFrame(
    (one) => one.parentFrame() === page.mainFrame() && !one.url().startsWith('about:'),
  );
  await frame.waitForSelector('#button');
  await frame.evaluate(OFFER);
  return frame;
}

/** Expects no frame and no payment for a page whose button is embedded in `outer`. */
async function getsNoFrame(arena: Arena, outer: string): Promise<void> {
  const frame = await nested(arena, outer);
  await fence(frame);
  expect(hasFrame(arena.page)).toBe(false);
  await arena.swipe();
  expect(await arena.claim({}, frame)).toBe('busy');
  await arena.expectNothing();
}

export function documents(arena: () => Arena): void {
  test('a frame of the same site that its page covers with a mask gets no track of the wallet', () =>
    getsNoFrame(
      arena(),
      '<iframe src="/inner" style="border:0;width:800px;height:600px;mask:linear-gradient(#0001,#0001)"></iframe>',
    ));

  test('the page sees neither the track nor its address, and pays nothing by its own frame of that address', async () => {
    const { page, site } = arena();
    site.page(
      '/strict',
      hostilePage(
        '<script>var violations = []; addEventListener("securitypolicyviolation", ({ blockedURI, sourceFile }) => violations.push(blockedURI + sourceFile))</script>',
      ),
      {
        'content-security-policy-report-only': "default-src 'none'",
      },
    );
    await page.goto(`${site.origin}/strict`);
    const frame = await arena().stand();
    // The page can see neither the frame nor its address.
    const seen = await page.evaluate(() => {
      const own = window as unknown as { violations: string[]; host(): HTMLElement };
      return {
        entries: performance.getEntries().map(({ name }) => name),
        violations: own.violations,
        frames: [window.length, typeof window[0]],
        markup: own.host().outerHTML + String(own.host().shadowRoot),
      };
    });
    expect(JSON.stringify(seen)).not.toMatch(/extension/);
    expect(seen.frames).toEqual([0, 'undefined']);
    // Even if the page knows the address, its own frame doesn't get the secret.
    const addresses = new Set([
      frame.url(),
      await addressInRelay(page),
      `chrome-extension://${arena().scene.wallet.extensionId}/${SWIPE_PAGE}`,
    ]);
    for (const address of addresses) {
      await arena().open();
      await page.evaluate((src) => {
        const made = document.body.appendChild(document.createElement('iframe'));
        made.style.cssText = 'position:absolute;left:100px;top:100px;width:300px;height:48px;border:0';
        made.src = src;
        const secret = 'a'.repeat(32);
        made.addEventListener('load', () => made.contentWindow?.postMessage({ secret, look: {} }, '*'));
        return new Promise((done) => made.addEventListener('load', done));
      }, address);
      await arena().swipe();
      await arena().expectNothing();
    }
  });
}

export function moreDocuments(arena: () => Arena, other: () => string): void {
  test.each([
    [
      'of the same site, scaled down by the parent page',
      '<iframe src="/inner" style="border:0;width:800px;height:600px;transform:scale(.3)"></iframe>',
    ],
    [
      'of the same site, in the page’s own top layer',
      '<iframe id="top" popover="manual" src="/inner" style="inset:0;border:0;width:800px;height:600px"></iframe><script>document.getElementById("top").showPopover()</script>',
    ],
    [
      'in a sandbox with its origin',
      '<iframe sandbox="allow-scripts allow-same-origin" src="/inner" style="border:0;width:800px;height:600px"></iframe>',
    ],
  ])('a frame %s gets no track', (_, outer) => getsNoFrame(arena(), outer));

  test('a sandboxed frame and a frame of another site get no track', async () => {
    const { page, site } = arena();
    const elsewhere = site.origin.replace('127.0.0.1', 'localhost');
    for (const outer of [
      '<iframe sandbox="allow-scripts" src="/inner" style="width:800px;height:600px"></iframe>',
      `<iframe src="${elsewhere}/inner" style="width:800px;height:600px"></iframe>`,
    ]) {
      await nested(arena(), outer);
      await fence(page);
      expect(hasFrame(page)).toBe(false);
      await arena().swipe();
      await arena().expectNothing();
    }
  });

  test('a prerendered page gets no track before it is shown', async () => {
    const { page, site } = arena();
    site.page(
      '/ahead',
      hostilePage(
        `<script>addEventListener('load', () => { ${OFFER}; setTimeout(() => fetch('/offered-' + document.prerendering), 300) })</script>`,
      ),
    );
    site.page(
      '/',
      rawPage(
        '<script type="speculationrules">{"prerender": [{"source": "list", "urls": ["/ahead"], "eagerness": "immediate"}]}</script>',
      ),
    );
    await page.goto(`${site.origin}/`);
    await vi.waitFor(() => expect(site.asked).toContain('/offered-true'));
    const targets = page.browser().targets();
    expect(targets.filter((target) => target.url().endsWith(SWIPE_PAGE))).toEqual([]);
    await arena().expectNothing();
  });

  test('a page restored from the back/forward cache has no earlier track', async () => {
    const { page, site } = arena();
    await arena().open(
      `<script>addEventListener('pageshow', (event) => { window.cameBack = event.persisted })</script>`,
    );
    await arena().stand();
    site.page('/away', rawPage());
    await page.goto(`${site.origin}/away`);
    await page.goBack();
    await page.waitForFunction(() => 'cameBack' in window);
    await arena().swipe();
    await arena().expectNothing();
  });

  test('a page of another extension can neither show the track nor reach the wallet', async () => {
    const { scene } = arena();
    const page = await scene.wallet.browser.newPage();
    await page.goto(`chrome-extension://${other()}/page.html`);
    const heard = await page.evaluate(
      async (wallet, path) => {
        const made = document.body.appendChild(document.createElement('iframe'));
        made.src = `chrome-extension://${wallet}/${path}`;
        await new Promise((done) => made.addEventListener('load', done));
        const port = chrome.runtime.connect(wallet, { name: 'swipe' });
        return new Promise((done) => port.onDisconnect.addListener(() => done(chrome.runtime.lastError?.message)));
      },
      scene.wallet.extensionId,
      SWIPE_PAGE,
    );
    expect(heard).toMatch(/does not exist/);
    await page.close();
  });
}

/** Reads the frame's address from the relay. The address changes with each browser session. */
async function addressInRelay(page: Page): Promise<string> {
  const session = await page.createCDPSession();
  const contexts: { id: number; auxData?: { type?: string } }[] = [];
  session.on('Runtime.executionContextCreated', ({ context }) => void contexts.push(context as never));
  await session.send('Runtime.enable');
  try {
    for (const { id, auxData } of contexts) {
      if (auxData?.type !== 'isolated') continue;
      const { result } = await session.send('Runtime.evaluate', {
        expression: `globalThis.chrome?.runtime?.getURL?.('${SWIPE_PAGE}') ?? ''`,
        contextId: id,
      });
      if (result.value) return result.value as string;
    }
    throw new Error('no relay in this page');
  } finally {
    await session.detach();
  }
}
