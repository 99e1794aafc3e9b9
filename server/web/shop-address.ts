/** The address that receives payments to devnet's demo shop. The address's key is generated at the first start. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { getPublicKey, utils } from '@noble/secp256k1';
import { writeAddress } from '../../protocol/bitcoin/address.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';

async function readOrMakeKey(path: string): Promise<Uint8Array> {
  try {
    return fromHex((await readFile(path, 'utf8')).trim());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const key = utils.randomSecretKey();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, `${toHex(key)}\n`, { flag: 'wx', mode: 0o600 });
  return key;
}

/** Returns the shop's address. The private key (32 bytes, hex) is in the file at `path`, readable only by its owner. */
export async function openShopAddress(path: string): Promise<string> {
  return writeAddress(ripemd160(sha256(getPublicKey(await readOrMakeKey(path), true))), 'devnet');
}
