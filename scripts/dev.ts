/**
 * `npm run dev`: builds and starts the service. On every change, rebuilds the affected parts: the button, the service,
 * and the extension, which then reloads itself.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync, watch } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { buildButton } from './build/build-button.ts';
import { affectedBy, WATCHED, type Part } from './dev/affected.ts';
import { buildDevExtension, DEV_EXTENSION } from './dev/extension.ts';
import { keepFresh } from './dev/parts.ts';
import { openBrowser } from '../tooling/open-browser.ts';

const port = process.env.PORT ?? '3000';
const serviceUrl = process.env.BASE_URL ?? `http://localhost:${port}`;

let newest = '';
const builds = createServer((_, response) => response.end(newest)).listen(0, '127.0.0.1');
await once(builds, 'listening');
const buildsUrl = `http://127.0.0.1:${(builds.address() as AddressInfo).port}/`;

let service: ChildProcess | null = null;
async function stopService(): Promise<void> {
  if (!service || service.exitCode !== null || service.signalCode !== null) return;
  service.kill('SIGTERM');
  await once(service, 'exit');
}

const parts = keepFresh(
  {
    async button() {
      mkdirSync('dist', { recursive: true });
      const { version } = await buildButton(resolve('dist'));
      say(`The button is built: ${version}. Reload pages to use it.`);
    },
    async extension() {
      const id = new Date().toISOString();
      await buildDevExtension(resolve('.'), serviceUrl, { id, url: buildsUrl });
      newest = id;
      say('The extension is built. Browsers with it reload it within a second, or when its worker next starts.');
    },
    async service() {
      const again = service !== null;
      await stopService();
      service = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts'], {
        // NODE_ENV is set again, because a build sets it to production in this process.
        env: { ...process.env, NODE_ENV: 'development', PORT: port, BASE_URL: serviceUrl },
        stdio: 'inherit',
      });
      service.on('exit', (code) => {
        if (code) say(`The service exited with ${code}. It restarts after the next change.`);
      });
      say(again ? 'The service restarts.' : `The service starts at ${serviceUrl}.`);
    },
  },
  (part, error) => {
    const message = error instanceof Error ? error.message : String(error);
    say(`The ${part} could not be built: ${message}\nThe previous build stays in use until the next change.`);
  },
);

for (const place of WATCHED) {
  const folder = statSync(place).isDirectory();
  watch(place, { recursive: folder }, (_, name) => {
    const path = folder ? `${place}/${String(name).replaceAll('\\', '/')}` : place;
    const affected = affectedBy(path);
    if (affected.length > 0) say(`${path} has changed.`);
    parts.stale(affected);
  });
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, async () => {
    await stopService();
    process.exit(0);
  });

say('Building the button and the extension …');
parts.stale(['button', 'extension', 'service'] satisfies Part[]);
await parts.settled();
console.log(`
  The demo shop: ${serviceUrl}/shop
  The extension: load it once from ${resolve(DEV_EXTENSION)}
  (chrome://extensions, "Developer mode", "Load unpacked"). Unlike other builds, it polls this
  program for newer builds. Restart npm run dev after changes to scripts/ or packages.
`);
await openBrowser(`${serviceUrl}/shop`, resolve(DEV_EXTENSION));

function say(text: string): void {
  console.log(`dev: ${text}`);
}
