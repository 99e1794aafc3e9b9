/** `npm start`: builds, starts the service, and opens a browser with the extension or prints how to load it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PRODUCT_NAME } from '../protocol/text/product.ts';
import { freePort } from '../tooling/free-port.ts';
import { openBrowser } from '../tooling/open-browser.ts';

const port = process.env.PORT === '0' ? await freePort() : Number(process.env.PORT || 3000);
process.env.PORT = String(port);
const baseUrl = process.env.BASE_URL || `http://localhost:${port}`;

// A build would replace files that a running service is serving.
if (await isTaken(port)) {
  console.error(`cannot start: Port ${port} is already in use. Set PORT to a free port.`);
  process.exit(1);
}

console.log('Building the extension and the button …');
// Builds in a separate process, because the bundler needs several times the service's memory and never frees it.
const build = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(new URL('./build.ts', import.meta.url))], {
  env: { ...process.env, BASE_URL: baseUrl },
  stdio: 'inherit',
});
const [status] = (await once(build, 'exit')) as [number | null];
if (status !== 0) process.exit(1);

process.env.NODE_ENV ||= 'production';
const { runServer } = await import('../server/main.ts');
const url = await runServer(process.env);
if (url === null) process.exit(1);

const extension = resolve('dist/extension');
// On other networks, the demo shop can't be paid.
const start = (process.env.NETWORK || 'devnet') === 'devnet' ? `${url}/shop` : url;
console.log(`
  ${PRODUCT_NAME} is running: ${start}

  To load the wallet into Chrome or Chromium: open chrome://extensions, turn on "Developer mode",
  choose "Load unpacked" and select this folder:

    ${extension}

  Others download it from ${url}/#wallet, which also explains how to load it into Firefox.
`);
await openBrowser(start, extension);

function isTaken(number: number): Promise<boolean> {
  return new Promise((answer) => {
    const probe = createServer()
      .once('error', ({ code }: NodeJS.ErrnoException) => answer(code === 'EADDRINUSE'))
      .listen(number, () => probe.close(() => answer(false)));
  });
}
