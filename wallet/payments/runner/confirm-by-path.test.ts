import { expect, onTestFinished, test, vi } from 'vitest';
import { useNetwork } from '../../../testkit/network/network.ts';
import { approveAll, ask, openWallet, pay, paymentWhere, someone } from '../../../testkit/wallet/wallet.ts';

const network = useNetwork();

async function paid() {
  const workerRun = await openWallet(network, [100_000]);
  approveAll(workerRun);
  const payment = await ask(workerRun, 'request-of-this-page', pay(someone(), 20_000));
  if (typeof payment === 'string') throw new Error(payment);
  return { confirmed: () => paymentWhere(workerRun, payment.id, ({ height }) => height !== null) };
}

test('an operator’s merkle path confirms a payment while the index has no proof', async () => {
  const { confirmed } = await paid();
  network.slowProofs = Number.POSITIVE_INFINITY;
  await network.mine();
  expect((await confirmed()).height).toBeGreaterThan(0);
});

test.each([
  ['is no path', '00'],
  ['is not hexadecimal', 'path'],
  ['is of another transaction', `fe0a00000001010002${'ab'.repeat(32)}`],
])('the index confirms a payment if the operator’s merkle path %s', async (_, merklePath) => {
  const real = globalThis.fetch;
  const lying = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, options) => {
    const response = await real(url, options);
    if (!String(url).includes('/arc/v1/tx/') || !response.ok) return response;
    return Response.json({ ...((await response.json()) as object), merklePath });
  });
  onTestFinished(() => lying.mockRestore());
  const { confirmed } = await paid();
  await network.mine();
  expect((await confirmed()).height).toBeGreaterThan(0);
});
