/** A profile with a database written by a newer version of the extension. */
import { afterEach, expect, test } from 'vitest';
import type { WalletReply } from '../protocol/messages/wallet-messages.ts';
import { CHANNEL, PAGE_PORT } from '../protocol/messages/wire.ts';
import { endAllWorkerRuns, Profile, type WorkerRun } from '../testkit/wallet/worker-run.ts';
import { wallet } from '../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

async function outdatedWallet(): Promise<WorkerRun> {
  const profile = new Profile('http://localhost:1');
  (await profile.databases.openDB('service-button', 1000)).close();
  return profile.start();
}

const runtimeId = (workerRun: WorkerRun) => workerRun.browserApi.runtime.id;

test.each(['popup', 'onboarding', 'approval'] as const)(
  'the first request of the window %s fails because the wallet is outdated',
  async (name) => {
    const workerRun = await outdatedWallet();
    const id = 'approval-0123456789';
    const url = `${workerRun.browserApi.runtime.getURL(`extension/${name}/index.html`)}?id=${id}`;
    const question =
      name === 'approval'
        ? { method: 'approval/read', params: { approvalId: id } }
        : { method: 'vault/status', params: {} };
    const reply = (await workerRun.modules.router.serveWindow(wallet, question, {
      id: runtimeId(workerRun),
      url,
      frameId: 0,
    } as never)) as WalletReply;
    expect(reply).toMatchObject({ error: { code: 'wallet-outdated', message: expect.stringContaining('Update') } });
  },
);

test.each([
  ['wallet/hello', {}],
  ['rates/read', { currency: 'USD' }],
  ['payment/request', { id: 'request-1', options: { outputs: [{ to: '1', amount: '1', currency: 'USD' }] } }],
])('a page’s request %s fails because the wallet is outdated', async (method, params) => {
  const workerRun = await outdatedWallet();
  let listen: ((message: unknown) => void) | undefined;
  const replied = new Promise((resolve) => {
    workerRun.modules.router.servePort(wallet, {
      name: PAGE_PORT,
      sender: {
        id: runtimeId(workerRun),
        url: 'https://shop.example/',
        origin: 'https://shop.example',
        tab: { id: 7 },
      },
      onMessage: { addListener: (listener: typeof listen) => (listen = listener) },
      onDisconnect: { addListener: () => undefined },
      postMessage: resolve,
      disconnect: () => undefined,
    } as never);
  });
  listen?.({ channel: CHANNEL, to: 'wallet', id: 'message-1', method, params });
  expect(await replied).toMatchObject({
    error: { code: 'wallet-outdated', moved: 'no', final: false, blame: 'user' },
  });
});
