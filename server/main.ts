/** Starts the service (settings, database, network, HTTP), and stops it in reverse order. */
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import closeWithGrace from 'close-with-grace';
import { pino, type DestinationStream, type Logger } from 'pino';
import { createApp } from './app.ts';
import { FOLLOW_EVERY_MS, MAX_FOLLOW_DELAY_MS, startBackgroundWork } from './background-work.ts';
import { bindDatabase, bindDirectory, firstPaymailDomain } from './bind-network.ts';
import { createArcClient } from './chain/arc-client.ts';
import { createPaidScripts } from './chain/paid-scripts.ts';
import { createTransactionSource } from './chain/transaction-source.ts';
import { ConfigError, addressesOf, readConfig, type Config } from './config.ts';
import { openPostgres } from './database/connect.ts';
import { claimLedger } from './database/embedded/claim-ledger.ts';
import { folderOf } from './database/embedded/folder.ts';
import { startEmbedded } from './database/embedded/server.ts';
import { StartError } from './database/embedded/start-error.ts';
import { migrate } from './database/migrate.ts';
import { openDevnet } from './devnet/devnet.ts';
import { describeError } from './http/errors.ts';
import { closeHttp, createHttp, listen } from './http/listen.ts';
import { createTimestamp } from './http/log-timestamp.ts';
import { openButtonStore } from './web/button-store.ts';
import { openShopAddress } from './web/shop-address.ts';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
/** Grace period for background work, the same as for requests (ms). Interrupted work becomes due again. */
const FINISH_MS = 10_000;

export interface RunningServer {
  /** The service's base URL, without a trailing slash. */
  url: string;
  /** Rejects new requests, completes those in progress, then closes the ledger and database. Idempotent. */
  close(): Promise<void>;
}

export interface StartOptions {
  /** Destination of the log. Default: standard error. */
  logTo?: DestinationStream;
  now?: () => Date;
  distDirectory?: string;
  /** Receives the line with the service's URL. Default: standard output. */
  print?: (line: string) => void;
}

/**
 * Starts the service with an environment such as `process.env`. Prints `ready: <base url>`, and resolves once the
 * server is listening.
 * @throws ConfigError (settings), StartError (data directory or database)
 */
export async function startServer(
  env: Readonly<Record<string, string | undefined>>,
  options: StartOptions = {},
): Promise<RunningServer> {
  const config = readConfig(env);
  const logDestination = options.logTo ?? buffered();
  const log = pino({ level: config.logLevel, base: null, timestamp: createTimestamp() }, logDestination);
  const now = options.now ?? (() => new Date());
  // Cleanup functions for opened resources, called in reverse order on shutdown or if startup fails.
  const opened: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (let close = opened.pop(); close; close = opened.pop()) {
      await close().catch((error: unknown) => log.error({ error: describeError(error) }, 'a resource did not close'));
    }
  };
  try {
    const directory = resolve(config.dataDirectory);
    await bindDirectory(directory, config.network);
    const onTaken = (error: StartError) => {
      log.fatal(error.message);
      process.exitCode = 1;
      void closeAll();
    };
    const databaseUrl = await databaseOf(config, directory, { log, opened, onTaken });
    const database = await openPostgres(
      databaseUrl,
      (error) => log.warn({ error: describeError(error) }, 'a database connection broke'),
      config.databasePool,
    );
    opened.push(() => database.close());
    await migrate(
      database,
      (seconds) =>
        log.warn(
          { seconds },
          'waiting to create or upgrade the tables: another instance does so, or a transaction such as a backup locks them',
        ),
      (deadlocks) =>
        log.warn({ deadlocks }, 'the upgrade of the tables and a running instance blocked each other, trying again'),
    );
    await bindDatabase(database.db, config.network);
    const devnet = config.network === 'devnet' ? await openLedger(config, directory, log) : null;
    if (devnet) opened.push(() => devnet.close());
    const shopAddress = devnet ? await openShopAddress(join(directory, 'shop-key')) : null;

    const distDirectory = options.distDirectory ?? DIST;
    const http = createHttp();
    await listen(http, config.port, config.host);
    const lifecycle = { stopping: false };
    const deliveryProgress = { caughtUpAt: now() };
    let endingHttp: Promise<void> | null = null;
    const endHttp = () => (endingHttp ??= closeHttp(http));
    opened.push(endHttp);
    const addresses = addressesOf(config, (http.address() as AddressInfo).port);
    const button = await openButtonStore(
      distDirectory,
      join(directory, 'button'),
      (error) => {
        log.error(
          { error: describeError(error) },
          'this version of the button could not be stored: pages that pin it will break with the next upgrade',
        );
      },
      addresses.baseUrl,
    );
    const devnetUrl = `${localUrl(http.address() as AddressInfo)}/devnet`;
    // The service accesses its own devnet through a local URL. Wallets get public URLs.
    const wocUrl = devnet && config.wocUrl === null ? `${devnetUrl}/woc/v1/bsv/test` : addresses.wocUrl;
    const source = createTransactionSource(wocUrl, config.wocKey);
    const arc = createArcClient(devnet && config.arcUrls === null ? `${devnetUrl}/arc` : addresses.arcUrl, {
      others: addresses.otherArcUrls,
      key: config.arcKey,
      source,
    });
    const app = createApp({
      db: database.db,
      connections: database.connections,
      fault: database.fault,
      settings: config,
      network: config.network,
      addresses,
      arc,
      paidScripts: createPaidScripts(wocUrl, config.network, config.wocKey),
      log,
      now,
      lifecycle,
      deliveryProgress,
      shopAddress,
      button,
      distDirectory,
      devnet,
    });
    // Attached in the same event loop turn as the listening event, so no request can have arrived yet.
    http.on('request', app);
    const domain = await firstPaymailDomain(database.db, addresses.paymailDomain);
    if (domain !== addresses.paymailDomain) {
      log.warn(
        `PAYMAIL_DOMAIN is ${addresses.paymailDomain}, but this database was created with ${domain}: paymails that end in @${domain} don't work until that is fixed`,
      );
    }

    const work = await startBackgroundWork({
      database,
      arc,
      source,
      log,
      now,
      lifecycle,
      deliveryProgress,
      baseUrl: addresses.baseUrl,
      network: config.network,
      maxDelayMs: devnet ? Math.max(config.blockIntervalMs, FOLLOW_EVERY_MS) : MAX_FOLLOW_DELAY_MS,
      allowPrivate: config.webhooksAllowPrivate,
    });
    opened.push(async () => {
      lifecycle.stopping = true;
      // The time limit is for work that waits for an unresponsive database and could exceed the process's grace period.
      await Promise.all([endHttp(), atMost(work.stop(), FINISH_MS)]);
    });
    log.info(
      { url: addresses.baseUrl, port: (http.address() as AddressInfo).port, network: config.network },
      'listening',
    );
    log.flush();
    if (addresses.secure && config.trustedProxies.length === 0 && config.rateLimitFactor !== null) {
      log.warn(
        'BASE_URL is https, which needs a proxy, but TRUSTED_PROXIES is empty: all clients share its address and its limits, so one of them can lock out the others',
      );
    }
    (options.print ?? console.log)(`ready: ${addresses.baseUrl}`);
    let closing: Promise<void> | null = null;
    return { url: addresses.baseUrl, close: () => (closing ??= closeAll()) };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function atMost(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, over]).finally(() => clearTimeout(timer));
}

/** Creates a stream to stderr that buffers up to 4 kB for up to a second, because each write is expensive. */
function buffered(): DestinationStream {
  const destination = pino.destination({ dest: 2, sync: true, minLength: 4096, periodicFlush: 1_000 });
  process.on('exit', () => destination.flushSync());
  return destination;
}

/** Returns the URL of the database at DATABASE_URL, or of our own PostgreSQL. Ensures exclusive use of our files. */
async function databaseOf(
  config: Config,
  directory: string,
  { log, opened, onTaken }: { log: Logger; opened: (() => Promise<unknown>)[]; onTaken: (error: StartError) => void },
): Promise<string> {
  if (config.databaseUrl !== null) {
    log.info('database: PostgreSQL (DATABASE_URL)');
    if (config.network === 'devnet') {
      const claim = await claimLedger(config.databaseUrl, directory);
      opened.push(() => claim.release());
    }
    return config.databaseUrl;
  }
  log.info({ path: folderOf(directory) }, 'database: the built-in PostgreSQL. Set DATABASE_URL to use another one.');
  const own = await startEmbedded(directory, {
    connections: config.databasePool,
    log: (line, isFault) => log[isFault ? 'error' : 'info']({ postgresql: line }, 'PostgreSQL'),
    onTaken,
  });
  opened.push(() => own.stop());
  return own.url;
}

function openLedger(config: Config, directory: string, log: Logger) {
  return openDevnet({
    directory: join(directory, 'devnet'),
    blockIntervalMs: config.blockIntervalMs,
    onError: (error: unknown) => log.error({ error: describeError(error) }, 'devnet failed'),
  });
}

/** Returns the URL at which the service can reach itself, regardless of its public URL. */
function localUrl({ address, port, family }: AddressInfo): string {
  const host = address === '::' || address === '0.0.0.0' ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

/** Signals that shut the service down gracefully. A second signal ends the process immediately. */
const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
/** Process managers can deliver a signal twice, directly and forwarded. Repeats within this time are ignored (ms). */
const SAME_SIGNAL_MS = 1000;

/**
 * Runs the service in this process until a signal ends it. If the service can't start, prints one line per problem and
 * sets exit code 1.
 * @returns the base URL; null if it couldn't start
 */
export async function runServer(env: Readonly<Record<string, string | undefined>>): Promise<string | null> {
  try {
    const server = await startServer(env);
    const ending = closeWithGrace({ delay: 15_000, logger: false, skip: [...END_SIGNALS] }, async ({ err }) => {
      if (err) process.stderr.write(`${describeError(err)}\n`);
      await server.close();
    });
    let signalledAt: number | null = null;
    for (const signal of END_SIGNALS)
      process.on(signal, () => {
        if (signalledAt === null) {
          signalledAt = Date.now();
          ending.close();
        } else if (Date.now() - signalledAt > SAME_SIGNAL_MS) process.exit(1);
      });
    return server.url;
  } catch (error) {
    const lines =
      error instanceof ConfigError
        ? error.problems
        : error instanceof StartError
          ? [`${error.message} (${error.code})`]
          : [describeError(error)];
    for (const line of lines) process.stderr.write(`cannot start: ${line}\n`);
    process.exitCode = 1;
    return null;
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url))
  await runServer(process.env);
