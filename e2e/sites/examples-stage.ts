import type { ElementHandle, Page } from 'puppeteer-core';
import { createServer, type PreviewServer, type ViteDevServer } from 'vite';
import { afterEach } from 'vitest';
import { makeConsumer, type Consumer } from '../../page-script/npm/testing-consumer.ts';
import { freePort } from '../../tooling/free-port.ts';
import { setScene, type Scene } from '../drive/scene.ts';
import { onStage } from '../drive/stage.ts';

/** The service's address in the examples. */
export const USUAL_SERVICE = 'http://localhost:3000';

export let scene: Scene;
export let consumer: Consumer;
export const servers: (ViteDevServer | PreviewServer)[] = [];
export const pages: Page[] = [];

/** Serves an example with the command in its README. @returns its address */
export async function serve(name: string, env: Record<string, string> = {}, givenPort?: number): Promise<string> {
  const port = givenPort ?? (await freePort());
  const given = { SERVICE_URL: scene.service.url, ...env };
  // The example's configuration reads these variables when it is loaded.
  Object.assign(process.env, given);
  const server = await createServer({
    root: `examples/${name}`,
    logLevel: 'error',
    // No file watching or dependency bundling, because both can reload a page during a test.
    optimizeDeps: { noDiscovery: true },
    server: { host: '127.0.0.1', port, strictPort: true, watch: null, hmr: false },
  });
  for (const variable of Object.keys(given)) delete process.env[variable];
  servers.push(server);
  await server.listen();
  return `http://127.0.0.1:${port}/`;
}

/** Opens a page that reaches this scene's service at the usual address. */
export async function open(url: string): Promise<Page> {
  const page = await scene.wallet.browser.newPage();
  pages.push(page);
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const elsewhere = request.url().startsWith(`${USUAL_SERVICE}/`);
    void request.continue(elsewhere ? { url: request.url().replace(USUAL_SERVICE, scene.publicUrl) } : {});
  });
  await page.goto(url);
  return page;
}

/** Waits until the button is in a state, and returns it. */
export async function inState(page: Page, selector: string, state: string): Promise<ElementHandle<HTMLElement>> {
  return (await page.waitForSelector(`${selector}[data-state=${state}]`)) as ElementHandle<HTMLElement>;
}
export const text = (page: Page, css: string, wanted: string) =>
  page.waitForFunction(
    (selector, part) => document.querySelector(selector)?.textContent?.includes(part),
    { polling: 'mutation' },
    css,
    wanted,
  );

export function useExamples(): void {
  onStage(
    async () => {
      scene = await setScene({ satoshis: 10_000_000 });
      consumer = await makeConsumer();
    },
    async () => {
      await Promise.all(servers.splice(0).map((server) => server.close()));
      await scene?.end();
      await consumer?.remove();
    },
  );
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.close();
  });
}
