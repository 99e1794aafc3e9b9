/** A shop's own website: a few pages on a free port, on a different origin from the service. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Site {
  origin: string;
  /** Sets the content of a path: a whole HTML document, with optional headers. */
  page(path: string, html: string, headers?: Record<string, string>): void;
  /** Paths of all requests, in order. */
  asked: string[];
  stop(): Promise<void>;
}

/** Starts a site that has no pages yet. The site also serves the built button, like a shop that hosts its own copy. */
export async function startSite(): Promise<Site> {
  const pages = new Map<string, { html: string; headers: Record<string, string> }>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    asked.push(path);
    const page = pages.get(path);
    if (page) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...page.headers }).end(page.html);
    else if (/^\/button(?:\.[a-z]+)?\.js$/.test(path) && existsSync(`dist${path}`))
      response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(readFileSync(`dist${path}`));
    else response.writeHead(404).end('nothing here');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    page: (path, html, headers = {}) => void pages.set(path, { html, headers }),
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
}

/**
 * Returns a page with one button. The page collects the callbacks' arguments in `window.payments`, `window.operations`,
 * `window.errors` and `window.loads`.
 */
export function shopPage(serviceUrl: string, attributes: Record<string, string>): string {
  const data = Object.entries(attributes)
    .map(([name, value]) => `data-${name}="${value.replaceAll('"', '&quot;')}"`)
    .join(' ');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A shop</title></head><body>
    <script>
      var payments = [], operations = [], errors = [], loads = [];
      function onPay(payment) { payments.push(payment); window.lastThis = this === window; }
      function onRun(results) { operations.push(results); }
      function onFail(error) { errors.push({ code: error.code, message: String(error.message) }); }
      function onReady() { loads.push(arguments.length); }
    </script>
    <div class="service-button" data-on-payment="onPay" data-on-crypto-operations="onRun" data-on-error="onFail" data-on-load="onReady" ${data}></div>
    <script src="${serviceUrl}/button.js"></script></body></html>`;
}
