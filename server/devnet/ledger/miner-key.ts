/** The miner's key, generated at the first start. Coinbases pay this key, and the faucet spends their outputs. */
import { PrivateKey } from '@bsv/sdk';
import { open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';

/** The key, its public key hash (hex), and the locking script that pays it. */
export interface MinerKey {
  key: PrivateKey;
  hash: string;
  lockingScript: Uint8Array;
}

/**
 * Reads the key from a directory, or creates it (mode 0600) and writes it to disk before any coinbase uses it.
 * @throws ServiceError `internal` if the file doesn't contain a key
 */
export async function openMinerKey(directory: string): Promise<MinerKey> {
  const file = path.join(directory, 'miner.key');
  const stored = await readFile(file, 'latin1').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const hex = stored?.trim() ?? (await makeKey(file));
  // Checked here because the library silently reduces larger values modulo the curve's order.
  if (!/^[0-9a-f]{64}$/.test(hex) || !isScalar(hex))
    throw new ServiceError('internal', { detail: `${file} does not contain a valid private key` });
  const key = PrivateKey.fromHex(hex);
  const hash = key.toPublicKey().toHash() as number[];
  return { key, hash: Buffer.from(hash).toString('hex'), lockingScript: p2pkhScript(Uint8Array.from(hash)) };
}

function isScalar(hex: string): boolean {
  const n = BigInt(`0x${hex}`);
  return n > 0n && n < 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
}

async function makeKey(file: string): Promise<string> {
  const hex = PrivateKey.fromRandom().toHex().padStart(64, '0');
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(`${hex}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
  return hex;
}
