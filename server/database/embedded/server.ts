/** The service's own PostgreSQL in `DATA_DIR/postgres`. Starts and stops with the service, and restarts if it exits. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { periodic } from '../../periodic.ts';
import { claim, inUse, type Claim } from './claim.ts';
import { DATABASE, ROLE, folderOf, pathFor, prepareFolder } from './folder.ts';
import { findPostmaster, lastSocketFolder, stopPostmaster, type Postmaster } from './postmaster.ts';
import { findPrograms, type Programs } from './programs.ts';
import { makeRunFolder, removeRunFolder, restoreRunFolder } from './run-folder.ts';
import { settings } from './settings.ts';
import { StartError, failedProgram } from './start-error.ts';
import { databaseUser, type SystemUser } from './system-user.ts';

export interface EmbeddedServer {
  /** URL for clients. Contains a password on Windows. */
  url: string;
  /** Stops the server. All clients must have disconnected. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Maximum number of connections from the service. */
  connections: number;
  /** Receives each line of PostgreSQL's log. `isFault` is true for a panic, and for the reason a restart failed. */
  log: (line: string, isFault: boolean) => void;
  /** Called if another process now uses the data directory, so this process must exit. */
  onTaken: (error: StartError) => void;
}

// An arbitrary 63-bit advisory lock key that is unique on the server: ASCII "service".
const CLAIM = 32_481_164_616_000_357n;
/** Connections outside the service's pool, such as the claim or an operator's psql. */
const SPARE_CONNECTIONS = 10;
const POLL_MS = 20;
/** Time to wait for an exited server's remaining output (ms). */
const LAST_WORDS_MS = 2_000;
/** Number of failed launches before the error is reported. Earlier failures might be due to a concurrent start. */
const MAX_LAUNCHES = 4;
const MAX_PAUSE_MS = 2_000;
/** Interval between checks that the socket exists (ms). */
const SOCKET_CHECK_MS = 1_000;
const IS_WINDOWS = process.platform === 'win32';

interface ServerLocation {
  folder: string;
  runFolder: string;
  programs: Programs;
  user: SystemUser | null;
  password: string | null;
  port: number;
  options: EmbeddedOptions;
}

/**
 * Starts PostgreSQL on a data directory, which is created if missing. Stops a server left behind by a killed process.
 * @throws StartError
 */
export async function startEmbedded(dataDirectory: string, options: EmbeddedOptions): Promise<EmbeddedServer> {
  const user = await databaseUser([folderOf(dataDirectory), dataDirectory]);
  const runFolder = await makeRunFolder(user, dataDirectory);
  try {
    const programs = await findPrograms(user, runFolder);
    const password = IS_WINDOWS ? await ownPassword(dataDirectory) : null;
    const folder = await prepareFolder(dataDirectory, programs, user, password);
    const port = IS_WINDOWS ? await freePort() : 5432;
    const former = await lastSocketFolder(folder);
    const server = await supervise({ folder, runFolder, programs, user, password, port, options });
    if (former !== runFolder) await removeRunFolder(former);
    return server;
  } catch (error) {
    await removeRunFolder(runFolder);
    throw error;
  }
}

/** Starts the server, and restarts it whenever the server or the claim on it is lost. */
async function supervise(place: ServerLocation): Promise<EmbeddedServer> {
  const { folder, runFolder, options } = place;
  let stopping = false;
  let running = await startClaimed(place);
  let restarting: Promise<void> | null = null;
  const watch = () => running.claim.onLost(() => void (restarting = restart()));

  async function restart(): Promise<void> {
    for (let pause = POLL_MS; !stopping; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      await sleep(pause);
      if (stopping) return;
      try {
        await restoreRunPlace(place);
        running = await startClaimed(place, true);
        watch();
        return;
      } catch (error) {
        if (error instanceof StartError && error.code === 'data-folder-in-use') return options.onTaken(error);
        options.log(error instanceof Error ? error.message : String(error), true);
      }
    }
  }

  /** Restarts the server if its socket was removed, because new connections would fail. */
  async function checkSocket(): Promise<void> {
    const found = await findPostmaster(folder);
    if (found === null || !found.ready || !isOurs(place, found) || (await exists(socketOf(place)))) return;
    options.log(`the socket ${socketOf(place)} was removed: restarting PostgreSQL`, true);
    await stopPostmaster(found.pid, folder, place.programs);
  }

  watch();
  const checking = IS_WINDOWS
    ? null
    : periodic(checkSocket, SOCKET_CHECK_MS, (error) => options.log(String(error), true));
  return {
    url: urlOf(place, null),
    async stop() {
      stopping = true;
      await checking?.stop();
      await restarting;
      await running.claim.release().catch(() => undefined);
      await stopPostmaster(running.pid, folder, place.programs);
      await removeRunFolder(runFolder);
    },
  };
}

const socketOf = ({ runFolder, port }: ServerLocation) => join(runFolder, `.s.PGSQL.${port}`);

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Restores the run directory and the programs in it, which a cleanup of temporary files might have removed. */
async function restoreRunPlace(place: ServerLocation): Promise<void> {
  if (IS_WINDOWS) return;
  await restoreRunFolder(place.runFolder, place.user);
  if (!(await exists(join(place.programs.folder, 'postgres'))))
    place.programs = await findPrograms(place.user, place.runFolder);
}

/**
 * Starts a server and claims it. A server that is already running is claimed if this process started it, and otherwise
 * stopped first.
 * @param again true if this process held the claim, and the server might not have noticed that the connection is gone
 */
async function startClaimed(place: ServerLocation, again = false): Promise<{ pid: number; claim: Claim }> {
  for (let failures = 0; ;) {
    const found = await findPostmaster(place.folder);
    if (found === null) {
      try {
        await launch(place);
      } catch (error) {
        // Servers started concurrently can make each other fail in many ways. The next iteration determines the owner.
        const mayBeLost = error instanceof StartError && error.code === 'postgresql-failed';
        if (!mayBeLost || ++failures === MAX_LAUNCHES) throw error;
      }
    } else if (found.ready) {
      const made = await claimOn(place, found, again);
      if (made !== null && isOurs(place, found)) return { pid: found.pid, claim: made };
      if (made !== null) await endStranger(place, found, made);
    }
    await sleep(POLL_MS);
  }
}

const isOurs = (place: ServerLocation, { socketFolder, port }: Postmaster) =>
  IS_WINDOWS ? port === place.port : socketFolder === place.runFolder;

async function endStranger(place: ServerLocation, server: Postmaster, held: Claim): Promise<void> {
  place.options.log(`stopping a PostgreSQL server that an earlier process left running (pid ${server.pid})`, false);
  // The claim is held until the server has stopped, so no other process claims a stopping server.
  await stopPostmaster(server.pid, place.folder, place.programs, 60_000);
  await held.release().catch(() => undefined);
}

/** Claims the directory. Returns null while the server stops or recovers. @throws StartError `data-folder-in-use` */
async function claimOn(place: ServerLocation, server: Postmaster, again: boolean): Promise<Claim | null> {
  let made: Awaited<ReturnType<typeof claim>>;
  try {
    made = await claim(urlOf(place, server), CLAIM);
  } catch (error) {
    if (isTransient(error)) return null;
    throw error;
  }
  if (!('claimedBy' in made)) return made;
  if (again && made.claimedBy === process.pid) return null;
  throw inUse(made, place.folder);
}

/** True if the server has stopped, is starting, recovering or stopping (class 57P), or has no free connection. */
function isTransient(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return (
    /^(?:57P0\d|53300|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE)$/.test(code ?? '') ||
    /connection terminated|not queryable|timeout/i.test(message)
  );
}

/**
 * Starts the process and waits for its PID file. The process runs in its own session so that Ctrl-C in a terminal
 * reaches only the service.
 */
async function launch(place: ServerLocation): Promise<void> {
  const { folder, programs, user, options } = place;
  const values = settings({
    connections: options.connections + SPARE_CONNECTIONS,
    socketFolder: IS_WINDOWS ? null : place.runFolder,
    port: place.port,
  });
  const child = spawn(
    join(programs.folder, 'postgres'),
    ['-D', pathFor(folder, user), ...Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...user, cwd: folder, detached: true, windowsHide: true, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const output = logLines(child, options.log);
  const ended = new Promise<'ended'>((resolve) => {
    // Output may still arrive after `exit`. It is complete on `close`, which a grandchild could delay.
    child.once('close', () => resolve('ended'));
    child.once('exit', () => void sleep(LAST_WORDS_MS).then(() => resolve('ended')));
    child.once('error', () => resolve('ended'));
  });
  child.unref();
  while ((await Promise.race([ended, sleep(POLL_MS)])) !== 'ended') {
    if ((await findPostmaster(folder))?.pid === child.pid) return;
  }
  // Another process started its server first, or a killed server's process hasn't exited yet. The caller tries again.
  if (/lock file "postmaster.pid" already exists|pre-existing shared memory block/.test(output())) {
    return;
  }
  throw failedProgram('postgres', output(), folder);
}

function logLines(child: ChildProcess, log: EmbeddedOptions['log']): () => string {
  let [text, rest] = ['', ''];
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-10_000);
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') log(line.trim(), line.startsWith('PANIC'));
  });
  // An open pipe must not keep this process alive.
  (child.stderr as { unref?: () => void } | null)?.unref?.();
  return () => text;
}

function urlOf(place: ServerLocation, server: Postmaster | null): string {
  const { port, socketFolder } = server ?? { port: place.port, socketFolder: IS_WINDOWS ? null : place.runFolder };
  const url = new URL(`postgresql://${ROLE}@localhost:${port}/${DATABASE}`);
  if (place.password !== null) url.password = place.password;
  url.searchParams.set('host', socketFolder ?? '127.0.0.1');
  return url.href;
}

async function ownPassword(dataDirectory: string): Promise<string> {
  const path = join(dataDirectory, 'postgres-password');
  await writeFile(path, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return readFile(path, 'utf8');
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening));
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}

const sleep = (ms: number) => new Promise<undefined>((wake) => setTimeout(wake, ms, undefined));
