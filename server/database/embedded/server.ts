/**
 * The service's own PostgreSQL: started with the service on `DATA_DIR/postgres`, started again should it end by itself,
 * and stopped after the service.
 */
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

/** A running server. */
export interface EmbeddedServer {
  /** For clients; a secret on Windows, where it holds a password. */
  url: string;
  /** Ends it in order. What uses it has ended before. */
  stop(): Promise<void>;
}

/** How a server is started. */
export interface EmbeddedOptions {
  /** The most connections that the service keeps to it. */
  connections: number;
  /** Gets each line that PostgreSQL logs, and why it could not be started again (a fault). */
  log: (line: string, isFault: boolean) => void;
  /** The folder is another process's now: this one must end. */
  onTaken: (error: StartError) => void;
}

// Any fixed number of 63 bits that nothing else on the server locks: the text "service" as bytes.
const CLAIM = 32_481_164_616_000_357n;
/** Clients that are no part of the service's pool: the claim, an operator's psql. */
const SPARE_CONNECTIONS = 10;
const POLL_MS = 20;
/** Milliseconds to wait for the output of a server that has ended. */
const LAST_WORDS_MS = 2_000;
/** So often is a server launched that fails before its reason is believed. */
const MOST_LAUNCHES = 4;
const LONGEST_PAUSE_MS = 2_000;
/** How often it is checked whether the socket is still there (milliseconds). */
const SOCKET_CHECK_MS = 1_000;
const IS_WINDOWS = process.platform === 'win32';

/** What a start works with. */
interface Place {
  folder: string;
  runFolder: string;
  programs: Programs;
  user: SystemUser | null;
  password: string | null;
  port: number;
  options: EmbeddedOptions;
}

/**
 * Starts PostgreSQL on a service's data folder, which is made where it is missing. A server that a killed process left
 * running there is stopped first.
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

/** Starts the server, and starts it again whenever it, or the claim on it, is lost. */
async function supervise(place: Place): Promise<EmbeddedServer> {
  const { folder, runFolder, options } = place;
  let stopping = false;
  let running = await startClaimed(place);
  let restarting: Promise<void> | null = null;
  const watch = () => running.claim.onLost(() => void (restarting = restart()));

  async function restart(): Promise<void> {
    for (let pause = POLL_MS; !stopping; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
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

  /** A server without its socket serves the connections that it has, and nobody can make another: it is started again. */
  async function checkSocket(): Promise<void> {
    const found = await findPostmaster(folder);
    if (found === null || !found.ready || !isOurs(place, found) || (await exists(socketOf(place)))) return;
    options.log(`the socket ${socketOf(place)} was removed: PostgreSQL is started again`, true);
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

const socketOf = ({ runFolder, port }: Place) => join(runFolder, `.s.PGSQL.${port}`);

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Makes again what a system that cleans up temporary files may have removed: the run folder, and programs in it. */
async function restoreRunPlace(place: Place): Promise<void> {
  if (IS_WINDOWS) return;
  await restoreRunFolder(place.runFolder, place.user);
  if (!(await exists(join(place.programs.folder, 'postgres'))))
    place.programs = await findPrograms(place.user, place.runFolder);
}

/**
 * A server of ours with our claim on it. One that runs already is ours as well where our claim can be had (it was only
 * its clients that were thrown out, after a crash of one of its processes); a stranger's is stopped first.
 * @param again this process had the claim before: the server may not know yet that it lost it
 */
async function startClaimed(place: Place, again = false): Promise<{ pid: number; claim: Claim }> {
  for (let failures = 0; ;) {
    const found = await findPostmaster(place.folder);
    if (found === null) {
      try {
        await launch(place);
      } catch (error) {
        // Where several start at once, another's server in the making can end ours in many ways: whose it is, is seen next.
        const mayBeLost = error instanceof StartError && error.code === 'postgresql-failed';
        if (!mayBeLost || ++failures === MOST_LAUNCHES) throw error;
      }
    } else if (found.ready) {
      const made = await claimOn(place, found, again);
      if (made !== null && isOurs(place, found)) return { pid: found.pid, claim: made };
      if (made !== null) await endStranger(place, found, made);
    }
    await sleep(POLL_MS);
  }
}

const isOurs = (place: Place, { socketFolder, port }: Postmaster) =>
  IS_WINDOWS ? port === place.port : socketFolder === place.runFolder;

async function endStranger(place: Place, server: Postmaster, held: Claim): Promise<void> {
  place.options.log(`a PostgreSQL server that an earlier process left running (pid ${server.pid}) is stopped`, false);
  // Held until it ends: otherwise whoever started it could claim it just now, and lose it again at once.
  await stopPostmaster(server.pid, place.folder, place.programs, 60_000);
  await held.release().catch(() => undefined);
}

/**
 * Claims the folder on a server. Null: not just now, since it is about to end or to recover.
 * @throws StartError `data-folder-in-use`
 */
async function claimOn(place: Place, server: Postmaster, again: boolean): Promise<Claim | null> {
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

/** Not there (any more), or class 57P: it starts, recovers or stops just now. Also where all connections are taken. */
function isTransient(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return (
    /^(?:57P0\d|53300|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE)$/.test(code ?? '') ||
    /connection terminated|not queryable|timeout/i.test(message)
  );
}

/**
 * Starts the process and waits until its file names it. It has a session of its own, so that Ctrl-C in a terminal
 * reaches the service alone, which ends it when it needs it no longer.
 */
async function launch(place: Place): Promise<void> {
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
    // Its last words may come after it: they are complete on `close`, which a child of its own could hold up.
    child.once('close', () => resolve('ended'));
    child.once('exit', () => void sleep(LAST_WORDS_MS).then(() => resolve('ended')));
    child.once('error', () => resolve('ended'));
  });
  child.unref();
  while ((await Promise.race([ended, sleep(POLL_MS)])) !== 'ended') {
    if ((await findPostmaster(folder))?.pid === child.pid) return;
  }
  // Two processes started one at the same time, and the other was first: whose it is, is seen next. Or a process of a
  // killed server is not over yet.
  if (/lock file "postmaster.pid" already exists|pre-existing shared memory block/.test(output())) {
    return;
  }
  throw failedProgram('postgres', output(), folder);
}

/** Forwards its output line by line; returns the last lines. */
function logLines(child: ChildProcess, log: EmbeddedOptions['log']): () => string {
  let [text, rest] = ['', ''];
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-10_000);
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') log(line.trim(), line.startsWith('PANIC'));
  });
  // An open pipe alone does not keep this process alive.
  (child.stderr as { unref?: () => void } | null)?.unref?.();
  return () => text;
}

function urlOf(place: Place, server: Postmaster | null): string {
  const { port, socketFolder } = server ?? { port: place.port, socketFolder: IS_WINDOWS ? null : place.runFolder };
  const url = new URL(`postgresql://${ROLE}@localhost:${port}/${DATABASE}`);
  if (place.password !== null) url.password = place.password;
  url.searchParams.set('host', socketFolder ?? '127.0.0.1');
  return url.href;
}

/** The role's password, created once and stored next to the folder. */
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
