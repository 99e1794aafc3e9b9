import { expect, test, vi } from 'vitest';
import { useNetwork } from '../../../testkit/network/network.ts';
import { expectFoundElsewhere } from '../../../testkit/wallet/restore-elsewhere.ts';
import { openWallet, stored } from '../../../testkit/wallet/wallet.ts';
import { writeAddress } from '../../../protocol/bitcoin/address.ts';
import { publicKeyHashes } from '../../keys/keys.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const network = useNetwork();

test('a manual search finds coins that no restore finds, and they are moved to addresses that a restore finds', async () => {
  const workerRun = await openWallet(network, [100_000]);
  const { publicKeys } = await import('../../vault/vault.ts');
  const [hash] = publicKeyHashes(await publicKeys(wallet), 'change', [700]);
  await network.faucet(writeAddress(hash as Uint8Array, 'devnet'), 50_000);
  const search = workerRun.modules.handlers.walletHandlers(wallet)['wallet/search-further'];
  expect(await search({})).toEqual({ addresses: 520, payments: 0, isWhole: true });
  expect(await search({})).toEqual({ addresses: 1020, payments: 1, isWhole: true });
  await vi.waitFor(async () =>
    expect((await stored(workerRun)).payments.map(({ sweep, state }) => [sweep, state])).toEqual([[true, 'settled']]),
  );
  await expectFoundElsewhere(network, workerRun);
});
