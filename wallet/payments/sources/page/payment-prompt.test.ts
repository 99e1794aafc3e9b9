import { expect, test } from 'vitest';
import { parseAsm } from '../../../../protocol/bitcoin/asm.ts';
import { fromHex, toHex } from '../../../../protocol/bitcoin/bytes.ts';
import { p2pkhHash, readAddress, writeAddress } from '../../../../protocol/bitcoin/address.ts';
import type { RequestedOutput } from '../../../../protocol/payments/payment.ts';
import type { ApprovalView } from '../../../../protocol/messages/wallet-messages.ts';
import type { WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../../../testkit/network/network.ts';
import { approvalOf, ask, openWallet, paymentView } from '../../../../testkit/wallet/wallet.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

const network = useNetwork();

const money = { amount: '0.0001', currency: 'BSV' };

/** Requests a payment as a page, and returns the outputs that its window shows. */
async function told(
  workerRun: WorkerRun,
  ...recipients: Omit<RequestedOutput, 'amount' | 'currency'>[]
): Promise<ApprovalView['outputs']> {
  void ask(workerRun, 'request-1', { outputs: recipients.map((recipient) => ({ ...recipient, ...money })) });
  return (await paymentView(workerRun, await approvalOf(workerRun))).outputs;
}

/** Returns the ASM of a script that pays an address. */
const lockOf = (address: string) =>
  `OP_DUP OP_HASH160 ${toHex(readAddress(address)?.hash as Uint8Array)} OP_EQUALVERIFY OP_CHECKSIG`;

test('only the wallet’s own addresses are marked as such, in any notation', async () => {
  const workerRun = await openWallet(network, [1_000_000]);
  const { receiveAddress } = await workerRun.modules.overview.overview(wallet);
  const stranger = writeAddress(new Uint8Array(20).fill(7), 'devnet');
  const outputs = await told(
    workerRun,
    { to: receiveAddress },
    { to: stranger },
    { to: lockOf(receiveAddress) },
    { to: lockOf(stranger) },
  );
  expect(outputs.map(({ own }) => own)).toEqual([true, false, true, false]);
  expect(outputs.map(({ scripts }) => scripts.map(({ kind, address, own }) => [kind, address, own]))).toEqual([
    [],
    [],
    [['address', receiveAddress, true]],
    [['address', stranger, false]],
  ]);
});

test('a payment to the user’s own address costs only the fee, unless another recipient is paid as well', async () => {
  const workerRun = await openWallet(network, [1_000_000]);
  const { receiveAddress } = await workerRun.modules.overview.overview(wallet);
  const total = async (...to: string[]) => {
    void ask(
      workerRun,
      `request-${to.length}`,
      { outputs: to.map((one) => ({ to: one, ...money })) },
      { origin: `https://${to.length}.example` },
    );
    const { totalSatoshis, feeSatoshis, satoshis } = await paymentView(
      workerRun,
      await approvalOf(workerRun, to.length),
    );
    expect(BigInt(feeSatoshis ?? 0)).toBeGreaterThan(0n);
    return { satoshis, withoutFee: BigInt(totalSatoshis ?? 0) - BigInt(feeSatoshis ?? 0) };
  };
  expect(await total(receiveAddress)).toEqual({ satoshis: '10000', withoutFee: 0n });
  expect(await total(receiveAddress, writeAddress(new Uint8Array(20).fill(7), 'devnet'))).toEqual({
    satoshis: '20000',
    withoutFee: 20_000n,
  });
});

test('a script with the user’s key that is not one of the wallet’s addresses is not marked as the wallet’s own', async () => {
  const workerRun = await openWallet(network, [1_000_000]);
  const { receiveAddress } = await workerRun.modules.overview.overview(wallet);
  const [output] = await told(workerRun, { to: `68656c6c6f OP_DROP ${lockOf(receiveAddress)}` });
  expect(output).toMatchObject({
    own: false,
    scripts: [{ kind: 'address', address: receiveAddress, own: true, data: [{ text: 'hello' }] }],
  });
});

test('a script is described from its bytes, whether given as ASM or in hexadecimal', async () => {
  const workerRun = await openWallet(network, [1_000_000]);
  const asm = 'OP_1 OP_NOP';
  const outputs = await told(
    workerRun,
    { to: asm },
    { script: toHex(parseAsm(asm) as Uint8Array) },
    { to: 'OP_CHECKSIG OP_NOT' },
  );
  expect(outputs.map(({ scripts }) => scripts[0])).toMatchObject([
    { kind: 'anyone', asm, hex: '5161', bytes: 2 },
    { kind: 'anyone', asm, hex: '5161' },
    { kind: 'unreadable' },
  ]);
});

test('a change address is marked as the wallet’s own', async () => {
  const workerRun = await openWallet(network, [1_000_000]);
  const db = await workerRun.modules.database.database(wallet);
  const change = (await db.getAll('addresses')).find(({ chain }) => chain === 'change');
  expect(p2pkhHash(fromHex(change?.script ?? ''))).not.toBeNull();
  expect((await told(workerRun, { to: change?.address as string }))[0]?.own).toBe(true);
});
