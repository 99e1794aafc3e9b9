/** Runs Debian's PgBouncer in transaction mode, in front of a PostgreSQL server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tooling/free-port.ts';

/** Starts PgBouncer (`program`) with three server connections. @returns the database's URL through PgBouncer */
export async function startPgbouncer(
  program: string,
  databaseUrl: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname, port, pathname, searchParams, username } = new URL(databaseUrl);
  const host = searchParams.get('host') ?? hostname;
  const directory = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  const listenPort = await freePort();
  const file = join(directory, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
service = host=${host} port=${port || 5432} dbname=${pathname.slice(1)} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
`,
  );
  // PgBouncer can't run as root, and only the OS user that runs PostgreSQL can access its socket directory.
  const owner = host.startsWith('/') ? await stat(host) : { uid: 65_534, gid: 65_534 };
  const user = process.getuid?.() === 0 ? { uid: owner.uid || 65_534, gid: owner.gid || 65_534 } : {};
  if (user.uid !== undefined) for (const path of [directory, file]) await chown(path, user.uid, user.gid);
  const pgbouncer = spawn(program, ['-q', file], { ...user, stdio: 'ignore' });
  const ended = once(pgbouncer, 'exit');
  for (let isOpen = false; !isOpen;) {
    if (pgbouncer.exitCode !== null) throw new Error('PgBouncer does not start');
    const probe = connect(listenPort, '127.0.0.1');
    isOpen = await once(probe, 'connect').then(
      () => true,
      () => new Promise<false>((resolve) => void setTimeout(resolve, 20, false)),
    );
    probe.destroy();
  }
  return {
    url: `postgresql://${username}@127.0.0.1:${listenPort}/service`,
    async close() {
      pgbouncer.kill('SIGKILL');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
