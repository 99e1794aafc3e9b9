/**
 * Tests that requests are attributed to their own frame, including requests from other sites' frames and from frames
 * without an origin.
 */
import { expect, test, vi } from 'vitest';
import type { Frame, Page } from 'puppeteer-core';
import { fence, freshId, paymentRequest, rawPage, replyTo, say, type RawWindow } from '../drive/raw-page.ts';
import { ADDRESS, type Scene } from '../drive/scene.ts';
import { shopPage } from '../drive/site.ts';
import { approve, buttonIn, readyApproval, swipe } from '../../tooling/drive/wallet.ts';
import { inner, outer, page, paymentOf, payments, scene, useFramedPages, visit } from './frames-stage.ts';

export function frames(stage: () => Scene): void {
  useFramedPages(stage);
  const originIn = (approval: Page) => approval.$eval('[data-part=origin]', (shown) => shown.textContent);

  test('the window shows the frame’s site instead of its page’s, and only the frame gets the response', async () => {
    const frame = await visit(`<iframe src="${inner.origin}/"></iframe>`);
    const request = paymentRequest();
    await say(frame, request);
    expect(await originIn(await readyApproval(scene.wallet))).toBe(inner.origin);
    await approve(scene.wallet);
    expect((await replyTo(frame, request.id)).result).toBeDefined();
    expect(
      await page.evaluate((id) => (window as unknown as RawWindow).heard.filter((one) => one.id === id), request.id),
    ).toEqual([]);
  });

  test('a prerendered page requests nothing until it is shown', async () => {
    const request = paymentRequest();
    outer.page(
      '/ahead',
      rawPage(
        `<script>say(${JSON.stringify(request)}); fetch('/asked-' + (document.prerendering ? 'ahead' : 'seen')); document.addEventListener('prerenderingchange', () => fetch('/shown'));</script>`,
      ),
    );
    outer.page(
      '/',
      rawPage(
        `<a href="/ahead">Go on</a><script type="speculationrules">{"prerender": [{"source": "list", "urls": ["/ahead"], "eagerness": "immediate"}]}</script>`,
      ),
    );
    const visitor = await scene.wallet.browser.newPage();
    const before = scene.wallet.approvalCount().ever;
    await visitor.goto(`${outer.origin}/`);
    await vi.waitFor(() => expect(outer.asked).toContain('/asked-ahead'));
    await fence(visitor); // ensures that earlier messages have been handled
    expect(scene.wallet.approvalCount().ever).toBe(before);
    expect(await paymentOf(request.id)).toBeUndefined();
    await visitor.click('a');
    // Waits for the page's own request, because Puppeteer might consider the prerendered page's frame detached.
    await vi.waitFor(() => expect(outer.asked).toContain('/shown'));
    expect(await originIn(await readyApproval(scene.wallet))).toBe(outer.origin);
    const session = await scene.wallet.browser.target().createCDPSession();
    const { targetInfos } = await session.send('Target.getTargets');
    for (const { url, targetId } of targetInfos)
      if (url === `${outer.origin}/ahead`) await session.send('Target.closeTarget', { targetId });
    await scene.wallet.noApproval();
  });

  test('a frame of another site can’t send requests as its page, nor the page as the frame', async () => {
    const frame = await visit(`<iframe src="${inner.origin}/"></iframe>`);
    const before = (await payments()).length;
    const message = { channel: 'service-button/1', to: 'wallet', ...paymentRequest() };
    await frame.evaluate((sent) => parent.postMessage(sent, '*'), message);
    await page.evaluate(
      (sent) => (document.querySelector('iframe') as HTMLIFrameElement).contentWindow?.postMessage(sent, '*'),
      message,
    );
    await fence(page);
    await fence(frame);
    expect((await payments()).length).toBe(before);
    expect(await scene.wallet.approvals()).toEqual([]);
  });

  test('a frame of another site can’t make a shop’s button appear paid', async () => {
    outer.page(
      '/',
      shopPage(scene.publicUrl, { to: ADDRESS, amount: '0.10', currency: 'USD' }).replace(
        '</body>',
        `<iframe src="${inner.origin}/"></iframe></body>`,
      ),
    );
    await page.goto(`${outer.origin}/`);
    const asked = page.evaluate(
      () =>
        new Promise<{ id: string }>((heard) => {
          addEventListener('message', ({ data }) => data.method === 'payment/request' && heard({ id: data.id }));
        }),
    );
    await swipe(page, await buttonIn(page, 'ready'));
    const { id } = await asked;
    const approval = await readyApproval(scene.wallet);
    await page
      .mainFrame()
      .childFrames()[0]
      ?.evaluate((to) => {
        parent.postMessage(
          {
            channel: 'service-button/1',
            to: 'page',
            id: to,
            result: { payment: { status: 'COMPLETED', txid: 'forged' } },
          },
          '*',
        );
      }, id);
    await approval.close();
    await buttonIn(page, 'error');
    expect(await page.evaluate(() => (window as unknown as { payments: unknown[] }).payments)).toEqual([]);
  });

  test('a sandboxed frame without an origin gets no response and no window', async () => {
    const frame = await visit(`<iframe sandbox="allow-scripts" src="${inner.origin}/"></iframe>`);
    expect(await frame.evaluate(() => origin)).toBe('null');
    await nobodyAnswers(frame);
  });

  test('frames of about:blank, srcdoc, data: and blob: get no response and no window, neither as themselves nor as their creator', async () => {
    const blob =
      '<script>document.body.append(Object.assign(document.createElement("iframe"), { src: URL.createObjectURL(new Blob(["<p>Text</p>"], { type: "text/html" })) }))</script>';
    for (const inside of [
      '<iframe></iframe>',
      '<iframe srcdoc="<p>Text</p>"></iframe>',
      '<iframe src="data:text/html,<p>Text</p>"></iframe>',
      blob,
    ]) {
      const frame = await visit(inside);
      await frame.evaluate(() => {
        const heard: unknown[] = [];
        addEventListener('message', ({ data }) => {
          if (data?.to === 'page') heard.push(data);
        });
        Object.assign(window, {
          heard,
          say: (sent: object) => postMessage({ channel: 'service-button/1', to: 'wallet', ...sent }, '*'),
        });
      });
      await nobodyAnswers(frame);
    }
  });

  /** Sends a request from a frame, waits until all messages have been handled, and expects no effect. */
  async function nobodyAnswers(frame: Frame): Promise<void> {
    const before = (await payments()).length;
    const approvals = scene.wallet.approvalCount().ever;
    await say(frame, { id: freshId(), method: 'wallet/hello', params: {} });
    await say(frame, paymentRequest());
    await frame.evaluate(
      (sent) => parent.postMessage({ channel: 'service-button/1', to: 'wallet', ...sent }, '*'),
      paymentRequest(),
    );
    await frame.evaluate(
      () =>
        new Promise<void>((passed) => {
          addEventListener('message', ({ data }) => {
            if (data === 'passed') passed();
          });
          postMessage('passed', '*');
        }),
    );
    await fence(page);
    expect(await frame.evaluate(() => (window as unknown as RawWindow).heard)).toEqual([]);
    expect((await payments()).length).toBe(before);
    expect(scene.wallet.approvalCount().ever).toBe(approvals);
  }
}
