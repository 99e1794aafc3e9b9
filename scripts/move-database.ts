/**
 * `npm run move-database -- <postgresql url>`: copies all data from the built-in PostgreSQL of the stopped service (in
 * DATA_DIR) into an empty database on another server. The source is not changed.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { bindDirectory } from '../server/bind-network.ts';
import { ConfigError, readConfig } from '../server/config.ts';
import { openPostgres } from '../server/database/connect.ts';
import { folderOf } from '../server/database/embedded/folder.ts';
import { startEmbedded } from '../server/database/embedded/server.ts';
import { StartError } from '../server/database/embedded/start-error.ts';
import { migrate } from '../server/database/migrate.ts';
import { MoveError, moveDatabase } from '../server/database/move.ts';
import { describeError } from '../server/http/errors.ts';

async function move(url: string | undefined): Promise<void> {
  // The same check as for DATABASE_URL at startup.
  const config = readConfig({ ...process.env, DATABASE_URL: url });
  if (config.databaseUrl === null)
    throw new MoveError('Specify the target: npm run move-database -- postgresql://user:password@host/database');
  const directory = resolve(config.dataDirectory);
  const path = folderOf(directory);
  if (!existsSync(path))
    throw new MoveError(`No readable database at ${path}. Set DATA_DIR, or run this as the service's user`);
  await bindDirectory(directory, config.network);
  const taken: StartError[] = [];
  const own = await startEmbedded(directory, { connections: 2, log: () => {}, onTaken: (error) => taken.push(error) });
  try {
    const source = await openPostgres(own.url, undefined, undefined, null);
    try {
      await migrate(source);
      const target = await openPostgres(config.databaseUrl, undefined, undefined, null);
      try {
        await migrate(target);
        for (const [table, rows] of await moveDatabase(source.db, target.db))
          console.log(`${String(rows).padStart(9)}  ${table}`);
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  } finally {
    await own.stop();
  }
  if (taken[0]) throw taken[0];
  console.log(
    `Everything was copied and compared. Start the service with DATABASE_URL from now on. ${path} is no longer used: keep it until you have a backup of the new one.`,
  );
}

try {
  await move(process.argv[2]);
} catch (error) {
  const lines =
    error instanceof ConfigError
      ? error.problems
      : error instanceof StartError || error instanceof MoveError
        ? [error.message]
        : [describeError(error)];
  for (const line of lines) console.error(`cannot move: ${line}`);
  process.exitCode = 1;
}
