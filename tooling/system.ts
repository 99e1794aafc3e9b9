/**
 * Finds or installs the programs that the project needs in addition to Node: Chromium and, for the tests, Firefox,
 * curl, nginx, PgBouncer, PostgreSQL and Java.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const BROWSERS: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/snap/bin/chromium',
  ],
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  ],
};

const FIREFOXES: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ['/usr/bin/firefox', '/usr/bin/firefox-esr', '/snap/bin/firefox'],
  darwin: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
  win32: ['C:\\Program Files\\Mozilla Firefox\\firefox.exe', 'C:\\Program Files (x86)\\Mozilla Firefox\\firefox.exe'],
};

/** Returns the browser at `CHROME_PATH` or in a common location, otherwise null. */
export const findBrowser = (): string | null => findOne(process.env.CHROME_PATH, BROWSERS);

/** Returns the Firefox at `FIREFOX_PATH` or in a common location, otherwise null. */
export const findFirefox = (): string | null => findOne(process.env.FIREFOX_PATH, FIREFOXES);

function findOne(named: string | undefined, places: typeof BROWSERS): string | null {
  if (named) return existsSync(named) ? named : null;
  return places[process.platform]?.find((path) => existsSync(path)) ?? null;
}

/** Installs Debian packages if running as root. @returns whether the installation succeeded */
function installWithApt(packages: string[]): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  console.log(`Installing ${packages.join(', ')} with apt (a minute or two the first time) …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = (args: string[]) =>
    spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  return run(['update']) && run(['install', '-y', '--no-install-recommends', ...packages]);
}

/** Returns a browser, after installing one if necessary and possible. Otherwise prints instructions and exits. */
export function needBrowser(): string {
  const found = findBrowser();
  if (found) return found;
  if (process.env.CHROME_PATH) fail(`There is no browser at CHROME_PATH (${process.env.CHROME_PATH}).`);
  if (installWithApt(['chromium'])) {
    const installed = findBrowser();
    if (installed) return installed;
  }
  return fail('No Chromium was found. Install Chromium or Chrome, or set CHROME_PATH to one, and run this again.');
}

/**
 * Returns a Firefox, after installing one if necessary and possible. Returns null with `SKIP_FIREFOX=on`. Otherwise
 * prints instructions and exits.
 */
export function needFirefox(): string | null {
  if (skipsFirefox()) return null;
  const found = findFirefox();
  if (found) return found;
  if (process.env.FIREFOX_PATH) fail(`There is no Firefox at FIREFOX_PATH (${process.env.FIREFOX_PATH}).`);
  if (installWithApt(['firefox-esr'])) {
    const installed = findFirefox();
    if (installed) return installed;
  }
  return fail(
    'No Firefox was found. Install Firefox, or set FIREFOX_PATH to one, or leave its tests out with SKIP_FIREFOX=on, and run this again.',
  );
}

/** Installs curl if possible, for the API reference's examples. */
export function needCurl(): void {
  const isThere = () => spawnSync('curl', ['--version'], { stdio: 'ignore' }).status === 0;
  if (!isThere() && !(installWithApt(['curl']) && isThere()))
    fail('No curl was found. Install it, and run this again.');
}

/** Programs that some tests in the full run need: proxies in front of the service or its database, and Java. */
const SERVERS = { nginx: '/usr/sbin/nginx', pgbouncer: '/usr/sbin/pgbouncer', java: '/usr/bin/java' } as const;
/** Debian packages whose names differ from the program's. */
const PACKAGES: Partial<Record<keyof typeof SERVERS, string>> = { java: 'default-jre-headless' };

/** Returns the path of one of these programs. Null if the program is missing, in which case its tests must be skipped. */
export const findServer = (name: keyof typeof SERVERS): string | null =>
  existsSync(SERVERS[name]) ? SERVERS[name] : null;

/** Returns the folder of the programs of Debian's newest installed PostgreSQL, or null. */
export function findPostgres(): string | null {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(root, version, 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'postgres'))) ?? null;
}

/** Installs missing programs if possible. Otherwise prints that their tests are skipped. */
export function offerServers(): void {
  // The backup test fails without PostgreSQL.
  if (findPostgres() === null) installWithApt(['postgresql']);
  const missing = (Object.keys(SERVERS) as (keyof typeof SERVERS)[]).filter((name) => findServer(name) === null);
  if (missing.length > 0 && !installWithApt(missing.map((name) => PACKAGES[name] ?? name)))
    console.log(`There is no ${missing.map((name) => SERVERS[name]).join(' and no ')}: tests with it are skipped.`);
}

/** True if the Firefox package's tests are skipped explicitly. */
export const skipsFirefox = (): boolean => process.env.SKIP_FIREFOX === 'on';

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
