import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Browser, Page } from 'puppeteer-core';
import { launchPlain } from '../../tooling/drive/browser.ts';
import { PAGE_WALLET } from '../drive/page-wallet.ts';
import { ADDRESS } from '../drive/scene.ts';
import { startService, type Service } from '../../tooling/drive/service.ts';
import { startSite, type Site } from '../drive/site.ts';

export const BUTTON = `<div class="service-button" data-to="${ADDRESS}" data-amount="0.10"></div>`;
export const hash = (file: string, algorithm = 'sha384') =>
  `${algorithm}-${createHash(algorithm)
    .update(readFileSync(`dist/${file}`))
    .digest('base64')}`;

let browser: Browser;
export let service: Service;
let site: Site;
export let page: Page;

/** Opens a German page under a Content-Security-Policy. Violations are collected in `broken`. */
export async function visit(policy: string, scripts: string, body = BUTTON): Promise<void> {
  const watch = `<script nonce="page">var broken = []; addEventListener('securitypolicyviolation', (event) => broken.push(event.violatedDirective + ' ' + event.blockedURI));</script>`;
  site.page(
    '/',
    `<!doctype html><html lang="de"><head><meta charset="utf-8"><title>A page</title>${watch}${PAGE_WALLET}${scripts}</head><body>${body}</body></html>`,
    { 'content-security-policy': policy },
  );
  await page.goto(`${site.origin}/`);
}
export const broken = () => page.evaluate(() => (window as unknown as { broken: string[] }).broken);

export function usePolicies(): void {
  beforeAll(async () => {
    [browser, service, site] = [await launchPlain(), await startService(), await startSite()];
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([site?.stop(), service?.stop()]);
  });
  beforeEach(async () => {
    page = await browser.newPage();
  });
  afterEach(() => page.close());
}
