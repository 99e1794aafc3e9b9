/** Exclusive use of devnet's ledger by one process. If DATABASE_URL is set, the lock is held in that database. */
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { hostname } from 'node:os';
import { claim, inUse, type Claim } from './claim.ts';

/** Claims exclusive use of the ledger in a data directory. @throws StartError `data-folder-in-use` */
export async function claimLedger(databaseUrl: string, dataDirectory: string): Promise<Claim> {
  const place = `${hostname()}:${await realpath(dataDirectory)}`;
  const key = createHash('sha256').update(place).digest().readBigUInt64BE() >> 1n;
  const made = await claim(databaseUrl, key);
  if (!('claimedBy' in made)) return made;
  throw inUse(made, dataDirectory);
}
