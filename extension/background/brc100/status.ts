/**
 * What an application may know without the user's permission (BRC-100): the wallet's network and version, and the chain
 * of headers that it follows. Whether the wallet is unlocked, connected sites learn.
 */
import browser from 'webextension-polyfill';
import { invalidParameter } from '../../../protocol/brc100/errors.ts';
import type { Brc100Args } from '../../../protocol/brc100/methods.ts';
import { toHex } from '../../../protocol/bytes.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import { heldTip } from '../chain/headers.ts';
import { networkInfo } from '../chain/network.ts';
import { headerBytes } from '../chain/proof.ts';
import { headerAtHeight } from '../chain/spv.ts';
import { takeHostRequests } from '../rate-limit.ts';
import { readSettings } from '../settings.ts';
import { vaultStatus } from '../vault/vault.ts';
import type { Caller } from './caller.ts';
import { isConnected, requireConnection } from './permissions/require.ts';

/** Who makes this wallet, in the version that it gives. */
const VENDOR = 'service-button';

/** Is the site connected, and the wallet unlocked? Opens nothing: for all other sites it is false. */
export async function isAuthenticated(_: unknown, { origin }: Caller): Promise<{ authenticated: boolean }> {
  const { locked } = await vaultStatus();
  return { authenticated: (await isConnected(origin)) && !locked };
}

/** Asks the user to connect the site and to unlock the wallet, in one window regardless of how many calls wait. */
export async function waitForAuthentication(_: unknown, caller: Caller): Promise<{ authenticated: true }> {
  await requireConnection(caller);
  return { authenticated: true };
}

/** The height of the last block that the wallet follows. @throws ServiceError `network-unavailable`: it follows none yet */
export async function getHeight(): Promise<{ height: number }> {
  const tip = await heldTip();
  if (!tip) throw new ServiceError('network-unavailable', { detail: 'no header is held yet' });
  return { height: tip.height };
}

/**
 * The 80 bytes of a header of the followed chain, hex. One that the wallet does not hold costs the site's turns for
 * requests to hosts: the network's index answers, and the wallet itself needs it too.
 */
export async function getHeaderForHeight(
  { height }: Brc100Args<'getHeaderForHeight'>,
  { origin }: Caller,
): Promise<{ header: string }> {
  const header = await headerAtHeight(await networkInfo(), height, () => takeHostRequests(origin, 1));
  if (!header) throw invalidParameter('height', 'the height of a block that this wallet knows.');
  return { header: toHex(headerBytes(header)) };
}

/** The interface knows two networks: everything but the main one is a test network. */
export async function getNetwork(): Promise<{ network: 'mainnet' | 'testnet' }> {
  return { network: (await readSettings()).network === 'mainnet' ? 'mainnet' : 'testnet' };
}

/** Answers a locked wallet's page too, and one without a wallet: applications find out by it whether to ask here. */
export async function getVersion(): Promise<{ version: string }> {
  return { version: `${VENDOR}-${browser.runtime.getManifest().version}` };
}
