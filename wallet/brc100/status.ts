/**
 * Information for any application, without the user's permission (BRC-100): the wallet's network and version, and the
 * headers that it follows. Only connected sites learn whether the wallet is unlocked.
 */
import { invalidParameter } from '../../protocol/brc100/errors.ts';
import type { Brc100Args } from '../../protocol/brc100/methods.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { networkInfo } from '../chain/network.ts';
import { headerBytes } from '../chain/headers/proof.ts';
import { headerAtHeight } from '../chain/headers/spv.ts';
import { takeHostRequests } from '../request-limits/rate-limit.ts';
import { readSettings } from '../settings.ts';
import { vaultStatus } from '../vault/vault.ts';
import type { Caller } from './caller.ts';
import { isConnected, requireConnection } from './permissions/require.ts';
import { heldTip } from '../chain/headers/store.ts';
import type { Wallet } from '../platform.ts';

/** The vendor in the wallet's version. */
const VENDOR = 'service-button';

/** True if the site is connected and the wallet unlocked. Never opens a window. */
export async function isAuthenticated(
  wallet: Wallet,
  _: unknown,
  { origin }: Caller,
): Promise<{ authenticated: boolean }> {
  const { locked } = await vaultStatus(wallet);
  return { authenticated: (await isConnected(wallet, origin)) && !locked };
}

/** Prompts the user to connect the site and to unlock the wallet, in one window for all waiting calls. */
export async function waitForAuthentication(
  wallet: Wallet,
  _: unknown,
  caller: Caller,
): Promise<{ authenticated: true }> {
  await requireConnection(wallet, caller);
  return { authenticated: true };
}

/** Returns the height of the last followed block. @throws ServiceError `network-unavailable`: none is known yet */
export async function getHeight(wallet: Wallet): Promise<{ height: number }> {
  const tip = await heldTip(wallet);
  if (!tip) throw new ServiceError('network-unavailable', { detail: 'no header is held yet' });
  return { height: tip.height };
}

/**
 * Returns the 80 bytes of a header of the followed chain, hex. Unless the wallet has it, this uses one of the site's
 * requests to hosts.
 */
export async function getHeaderForHeight(
  wallet: Wallet,
  { height }: Brc100Args<'getHeaderForHeight'>,
  { origin }: Caller,
): Promise<{ header: string }> {
  const header = await headerAtHeight(wallet, await networkInfo(wallet), height, () =>
    takeHostRequests(wallet, origin, 1),
  );
  if (!header) throw invalidParameter('height', 'the height of a block that this wallet knows.');
  return { header: toHex(headerBytes(header)) };
}

/** The interface has two networks, so any but the main one is a test network. */
export async function getNetwork(wallet: Wallet): Promise<{ network: 'mainnet' | 'testnet' }> {
  return { network: (await readSettings(wallet)).network === 'mainnet' ? 'mainnet' : 'testnet' };
}

/** Works with a locked wallet and without one, because applications use it to detect the wallet. */
export async function getVersion(wallet: Wallet): Promise<{ version: string }> {
  return { version: `${VENDOR}-${wallet.runtime.getManifest().version}` };
}
