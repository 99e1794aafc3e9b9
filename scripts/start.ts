/**
 * `npm start`: builds, starts the service, and prints how to load the extension; with a display it opens a browser with
 * it.
 */
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { PRODUCT_NAME } from '../protocol/product.ts';
import { findBrowser } from './system.ts';

const port = process.env.PORT === '0' ? await freePort() : Number(process.env.PORT ?? 3000);
process.env.PORT = String(port);
const baseUrl = process.env.BASE_URL ?? `http://localhost:${port}`;

console.log('Building the extension and the button …');
const { buildAll } = await import('./build.ts');
await buildAll(baseUrl);

const { runServer } = await import('../server/main.ts');
const url = await runServer(process.env);
if (url === null) process.exit(1);

const extension = resolve('dist/extension');
console.log(`
  ${PRODUCT_NAME} runs. The demo shop: ${url}/shop

  To load the wallet into Chrome or Chromium: open chrome://extensions, switch on "Developer mode",
  choose "Load unpacked" and take this folder:

    ${extension}

  Others download it from ${url}/#wallet, which also says how to load it into Firefox.
`);
await openBrowser(`${url}/shop`);

/** Opens a browser with the extension loaded, if there is a display and a browser; prints a message if that fails. */
async function openBrowser(page: string): Promise<void> {
  const display = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  const executablePath = findBrowser();
  if (!display || !executablePath || process.env.CI || !existsSync(extension)) return;
  try {
    const { launch } = await import('puppeteer-core');
    const browser = await launch({
      executablePath,
      headless: false,
      pipe: true,
      enableExtensions: [extension],
      defaultViewport: null,
      userDataDir: join(process.env.DATA_DIR ?? './data', 'browser'),
      args: ['--no-first-run', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    });
    const tab = await browser.newPage();
    await tab.goto(page);
  } catch (error) {
    console.log(
      `  (A browser could not be opened: ${error instanceof Error ? error.message.split('\n')[0] : String(error)})`,
    );
  }
}

function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer().listen(0, () => {
      const address = probe.address();
      probe.close(() => found(typeof address === 'object' && address ? address.port : 3000));
    });
    probe.on('error', failed);
  });
}
