/**
 * Runs a PostgreSQL server with a synchronous replica behind one address, as with a hosted database or a floating IP.
 * Each commit is confirmed as soon as the replica has written it to disk.
 */
import { spawn, execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { DATABASE, pathFor, prepareFolder, ROLE } from '../../server/database/embedded/folder.ts';
import { findPrograms } from '../../server/database/embedded/programs.ts';
import { makeRunFolder } from '../../server/database/embedded/run-folder.ts';
import { settings } from '../../server/database/embedded/settings.ts';
import { databaseUser, grantFolder } from '../../server/database/embedded/system-user.ts';

const REPLICA = 'replica';
const [FIRST_PORT, SECOND_PORT] = [5432, 5433];

export interface ReplicatedPostgres {
  /** URL of the current primary. */
  url: string;
  /** Returns the replica's state according to the primary, and the number of log bytes that it hasn't applied yet. */
  replication(): Promise<{ state: string; sync: string; behind: number }>;
  /** Kills the primary, promotes the replica and switches the address. @returns milliseconds until the promotion */
  failOver(): Promise<number>;
  stop(): Promise<void>;
}

/** @param commit the setting `synchronous_commit`: `on` waits for the replica's disk, `remote_apply` for its readers */
export async function startReplicated(commit: 'on' | 'remote_apply' | 'local'): Promise<ReplicatedPostgres> {
  const user = await databaseUser([]);
  const directory = await makeRunFolder(user, tmpdir());
  const programs = await findPrograms(user, directory);
  const data = join(directory, 'data');
  await mkdir(data);
  await grantFolder(data, user);
  const first = await prepareFolder(data, programs, user, null);
  const second = join(directory, REPLICA);
  // A copy of a stopped server is a complete backup.
  await cp(first, second, { recursive: true });
  await writeFile(join(second, 'standby.signal'), '');
  await grantFolder(second, null);
  if (user) await promisify(execFile)('chown', ['-R', `${user.uid}:${user.gid}`, second]);
  const socket = (port: number) => join(directory, `.s.PGSQL.${port}`);
  const running: ChildProcess[] = [];
  const launch = async (folder: string, port: number, more: Record<string, string>) => {
    const values = {
      ...settings({ connections: 100, socketFolder: directory, port }),
      wal_level: 'replica',
      // A replica rejects a value below the one that was set when the data folder was created.
      max_wal_senders: '10',
      hot_standby: 'on',
      ...more,
    };
    const args = Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = spawn(join(programs.folder, 'postgres'), ['-D', pathFor(folder, user), ...args], {
      ...user,
      cwd: folder,
      stdio: 'ignore',
    });
    running.push(server);
    await until(() => query(port, 'select 1'));
  };
  const query = async (port: number, statement: string) => {
    const client = new pg.Client({ host: directory, port, user: ROLE, database: DATABASE });
    await client.connect();
    try {
      return (await client.query<Record<string, string>>(statement)).rows;
    } finally {
      await client.end();
    }
  };
  const stopServers = async () => {
    for (const server of running) {
      if (server.exitCode !== null || server.signalCode !== null) continue;
      const gone = once(server, 'exit');
      server.kill('SIGINT');
      await gone;
    }
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await launch(first, FIRST_PORT, { synchronous_commit: commit });
    await launch(second, SECOND_PORT, {
      primary_conninfo: `host=${directory} port=${FIRST_PORT} user=${ROLE} application_name=${REPLICA}`,
    });
    if (commit !== 'local') {
      await query(FIRST_PORT, `alter system set synchronous_standby_names = '${REPLICA}'`);
      await query(FIRST_PORT, 'select pg_reload_conf()');
    }
  } catch (error) {
    await stopServers();
    throw error;
  }
  let inCharge = FIRST_PORT;
  const open = new Set<Socket>();
  const address = createServer((client) => {
    const server = connect(socket(inCharge));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy()).on('close', () => (open.delete(one), other.destroy()));
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(address, 'listening');
  const { port } = address.address() as AddressInfo;
  return {
    url: `postgresql://${ROLE}@127.0.0.1:${port}/${DATABASE}`,
    async replication() {
      const [row] = await query(
        FIRST_PORT,
        'select state, sync_state, pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::text as behind from pg_stat_replication',
      );
      return { state: row?.state ?? 'none', sync: row?.sync_state ?? 'none', behind: Number(row?.behind) };
    },
    async failOver() {
      const [pid] = (await readFile(join(first, 'postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGKILL');
      const start = performance.now();
      await promisify(execFile)(join(programs.folder, 'pg_ctl'), ['promote', '-w', '-D', pathFor(second, user)], {
        ...user,
        cwd: second,
      });
      inCharge = SECOND_PORT;
      for (const one of open) one.destroy();
      return performance.now() - start;
    },
    async stop() {
      address.close();
      for (const one of open) one.destroy();
      await stopServers();
    },
  };
}

async function until(works: () => Promise<unknown>): Promise<void> {
  for (const end = Date.now() + 60_000; ;) {
    try {
      await works();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((wake) => setTimeout(wake, 50));
    }
  }
}
