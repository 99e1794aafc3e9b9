/**
 * Binds data to its first network so that addresses, payments and keys from different networks are never mixed. The
 * network is recorded in the data directory and in the database.
 */
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import type { Network } from '../protocol/bitcoin/address.ts';
import { ConfigError } from './config.ts';
import type { Database } from './database/connect.ts';
import { instanceFacts } from './database/schema.ts';

/** Binds a data directory to a network. @throws ConfigError if it contains another network's data */
export async function bindDirectory(directory: string, network: Network): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, 'network');
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  // A directory created before networks were recorded belongs to devnet if it contains a ledger.
  const isOldDevnet = await stat(join(directory, 'devnet')).then(
    (found) => found.isDirectory(),
    () => false,
  );
  await writeFile(draft, `${isOldDevnet ? 'devnet' : network}\n`, { flag: 'wx' });
  try {
    // `link` publishes the complete file atomically, and fails if another process has already created it.
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  assertSame('DATA_DIR', (await readFile(path, 'utf8')).trim(), network);
}

/** Binds a database to a network. @throws ConfigError if it contains another network's data */
export async function bindDatabase(db: Database, network: Network): Promise<void> {
  await db.insert(instanceFacts).values({ name: 'network', value: network }).onConflictDoNothing();
  const [found] = await db.select().from(instanceFacts).where(eq(instanceFacts.name, 'network'));
  assertSame('The database', found?.value ?? '', network);
}

/** Returns this database's first paymail domain. If the setting changes later, paymails at the old domain stop working. */
export async function firstPaymailDomain(db: Database, domain: string): Promise<string> {
  await db.insert(instanceFacts).values({ name: 'paymail-domain', value: domain }).onConflictDoNothing();
  const [found] = await db.select().from(instanceFacts).where(eq(instanceFacts.name, 'paymail-domain'));
  return found?.value ?? domain;
}

function assertSame(where: string, bound: string, network: Network): void {
  if (bound === network) return;
  throw new ConfigError([
    `${where} holds the data of ${bound}, but NETWORK is ${network}: use another one, or set NETWORK=${bound}`,
  ]);
}
