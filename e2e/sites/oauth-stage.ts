import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, expect } from 'vitest';
import { createOAuthApp } from '../../examples/oauth-app/app.ts';
import { registerPerson, type Person } from '../../tooling/drive/person.ts';
import { setScene, type Scene } from '../drive/scene.ts';
import { freePort } from '../../tooling/free-port.ts';
import { onStage } from '../drive/stage.ts';

interface Registered {
  application: { id: string; name: string; oauthIdentifier: string };
}

export let scene: Scene;
let developer: Person;
const servers: Server[] = [];
export const pages: Page[] = [];

export async function newApplication(
  name: string,
  redirectUri: string,
  service = scene.publicUrl,
  owner = developer,
): Promise<string> {
  const response = await fetch(`${service}/api/v2/me/applications`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${owner.accessToken}` },
    body: JSON.stringify({ name, url: 'https://notes.example', redirectUri }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as Registered).application.oauthIdentifier;
}

/** Starts the example application, registered as a new application at a service. @returns its address */
export async function startApp(name: string, service = scene.publicUrl, owner = developer): Promise<string> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const app = await createOAuthApp({
    serviceUrl: service,
    clientId: await newApplication(name, `${baseUrl}/callback`, service, owner),
    baseUrl,
  });
  const server = app.listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect((server.address() as AddressInfo).port).toBe(port);
  servers.push(server);
  return baseUrl;
}

export async function open(url: string): Promise<Page> {
  const page = await scene.wallet.browser.newPage();
  pages.push(page);
  await page.goto(url);
  return page;
}

export async function follow(page: Page, selector: string): Promise<void> {
  await page.bringToFront();
  await Promise.all([page.waitForNavigation(), page.click(selector)]);
}

export const at = (page: Page) => new URL(page.url()).origin + new URL(page.url()).pathname;
export const text = (page: Page, selector: string) => page.$eval(selector, (element) => element.textContent?.trim());
export const consent = (page: Page) => page.waitForSelector('button[name=decision][value=allow]');
export const home = (page: Page) => page.waitForSelector('#user-id');

export function useOAuthScene(): void {
  onStage(
    async () => {
      scene = await setScene({ handle: 'ada', satoshis: 1_000_000 });
      developer = await registerPerson(scene.publicUrl, 'devon', 'Devon');
    },
    () => scene?.end(),
  );
  afterAll(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.close().catch(() => undefined);
    for (const page of await scene.wallet.approvals()) await page.close();
    for (const { name } of await scene.wallet.browser.cookies())
      await scene.wallet.browser.deleteMatchingCookies({ name, url: scene.publicUrl });
  });
}
