/**
 * Information available to any application without permission (BRC-100): the wallet's network and version, and block
 * headers. Only connected sites learn whether the wallet is unlocked.
 */
import { invalidParameter } from '../../protocol/brc100/errors.ts';
import type { Brc100Args } from '../../protocol/brc100/methods.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { networkInfo } from '../chain/network.ts';
import { headerBytes } from '../chain/headers/proof.ts';
import { headerAtHeight } from '../chain/headers/spv.ts';
import { countHostRequests } from '../request-limits/rate-limit.ts';
import { readSettings } from '../settings.ts';
import { vaultStatus } from '../vault/vault.ts';
import type { Caller } from './caller.ts';
import { isConnected, requireConnection } from './permissions/require.ts';
import { heldTip } from '../chain/headers/store.ts';
import type { Wallet } from '../platform.ts';

/** The vendor part of the wallet's version string. */
const VENDOR = 'service-button';

/** True if the site is connected and the wallet unlocked. Never prompts. */
export async function isAuthenticated(
  wallet: Wallet,
  _: unknown,
  { origin }: Caller,
): Promise<{ authenticated: boolean }> {
  const { locked } = await vaultStatus(wallet);
  return { authenticated: (await isConnected(wallet, origin)) && !locked };
}

/** Prompts the user to connect the site and unlock the wallet, in one window for all waiting calls. */
export async function waitForAuthentication(
  wallet: Wallet,
  _: unknown,
  caller: Caller,
): Promise<{ authenticated: true }> {
  await requireConnection(wallet, caller);
  return { authenticated: true };
}

/** Returns the height of the followed chain. @throws ServiceError `network-unavailable` if still unknown */
export async function getHeight(wallet: Wallet): Promise<{ height: number }> {
  const tip = await heldTip(wallet);
  if (!tip) throw new ServiceError('network-unavailable', { detail: 'no header is stored yet' });
  return { height: tip.height };
}

/**
 * Returns a block header of the followed chain (80 bytes, hex). Fetching a missing header counts against the site's
 * request limit.
 */
export async function getHeaderForHeight(
  wallet: Wallet,
  { height }: Brc100Args<'getHeaderForHeight'>,
  { origin }: Caller,
): Promise<{ header: string }> {
  const header = await headerAtHeight(wallet, await networkInfo(wallet), height, () =>
    countHostRequests(wallet, origin, 1),
  );
  if (!header) throw invalidParameter('height', 'the height of a block known to this wallet.');
  return { header: toHex(headerBytes(header)) };
}

/** Returns the network. BRC-100 defines only two networks, so every network but mainnet is reported as `testnet`. */
export async function getNetwork(wallet: Wallet): Promise<{ network: 'mainnet' | 'testnet' }> {
  return { network: (await readSettings(wallet)).network === 'mainnet' ? 'mainnet' : 'testnet' };
}

/** Returns the version, even without a wallet or while locked, because applications use it to detect the wallet. */
export async function getVersion(wallet: Wallet): Promise<{ version: string }> {
  return { version: `${VENDOR}-${wallet.runtime.getManifest().version}` };
}
