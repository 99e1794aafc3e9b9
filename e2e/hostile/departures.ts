/** Tests pages and frames that close or navigate away after they have requested a payment. */
import { expect, test, vi } from 'vitest';
import { fence, paymentRequest, say, type RawWindow } from '../drive/raw-page.ts';
import type { Scene } from '../drive/scene.ts';
import { ask, readyApproval, stored } from '../../tooling/drive/wallet.ts';
import { inner, outer, page, paidBefore, paymentOf, payments, scene, useFramedPages, visit } from './frames-stage.ts';

type Departure =
  | 'goes elsewhere'
  | 'goes to another site'
  | 'is reloaded'
  | 'is closed'
  | 'removes its frame'
  | 'navigates its frame';
const DEPARTURES: [Departure, () => Promise<unknown>][] = [
  ['goes elsewhere', () => page.goto(`${outer.origin}/away`)],
  ['goes to another site', () => page.goto(`${inner.origin}/`)],
  ['is reloaded', () => page.reload()],
  ['is closed', () => page.close()],
  ['removes its frame', () => page.evaluate(() => document.querySelector('iframe')?.remove())],
  [
    'navigates its frame',
    () =>
      page.evaluate((to) => {
        (document.querySelector('iframe') as HTMLIFrameElement).src = to;
      }, `${outer.origin}/away`),
  ],
];

export function departures(stage: () => Scene, which: readonly Departure[]): void {
  useFramedPages(stage);
  test.each(DEPARTURES.filter(([name]) => which.includes(name)))(
    'a page that %s loses its approval: the window closes, and nothing is paid',
    async (_, leave) => {
      const frame = await visit(`<iframe src="${inner.origin}/"></iframe>`);
      const request = paymentRequest();
      await say(frame, request);
      const approval = await readyApproval(scene.wallet);
      const address = approval.url();
      const approvalId = new URL(address).searchParams.get('id') as string;
      await leave();
      await scene.wallet.noApproval();
      expect(await paymentOf(request.id)).toMatchObject({
        state: 'refused',
        signed: null,
        error: { code: 'page-gone' },
      });

      // Opening the payment window again doesn't revive the payment.
      const again = await scene.wallet.browser.newPage();
      await again.goto(address);
      await expect(ask(again, 'approval/decide', { approvalId, decision: 'pay' })).rejects.toMatchObject({
        code: 'approval-unknown',
      });
      expect(await again.$('button[data-action=pay]')).toBeNull();
      await again.close();
      expect((await scene.paid()).length).toBe(paidBefore);
    },
  );
}

export function hastyDepartures(stage: () => Scene): void {
  useFramedPages(stage);
  test('a page that leaves immediately after a request leaves no window open', async () => {
    await visit('');
    const requests = Array.from({ length: 5 }, () => paymentRequest());
    for (const request of requests) {
      await Promise.all([
        page.waitForNavigation(),
        page.evaluate(
          (sent, to) => {
            (window as unknown as RawWindow).say(sent);
            location.href = to;
          },
          request,
          `${outer.origin}/`,
        ),
      ]);
    }
    await fence(page);
    const undecided = async () => [
      ...(await stored(scene.page, 'requests')),
      ...(await payments()).filter(({ state }) => state === 'requested'),
    ];
    await vi.waitFor(async () => expect(await undecided()).toEqual([]), { interval: 100 });
    await scene.wallet.noApproval();
    expect((await scene.paid()).length).toBe(paidBefore);
  });
}
