/**
 * Two services under two host names on this machine, each with its own paymail domain, database, wallet and
 * application. They share a network in a separate process, and can be reached only through proxies that simulate
 * faults.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import type { Page } from 'puppeteer-core';
import { expect, vi } from 'vitest';
import type * as z from 'zod/mini';
import type { paymentsResponse } from '../../protocol/http/api-v2.ts';
import { freePort } from '../../tooling/free-port.ts';
import { openDevnet } from '../../server/devnet/devnet.ts';
import { startTestReceiver, type TestReceiver } from '../../server/webhooks/testing-receiver.ts';
import { launchWallet, type WalletBrowser } from '../../tooling/drive/browser.ts';
import { startFaults, type Faults } from './faults.ts';
import { postJson, startService, type Service } from '../../tooling/drive/service.ts';
import { shopPage, startSite, type Site } from './site.ts';
import { ask, quickWallet } from '../../tooling/drive/wallet.ts';

/** One of the two services, and its user. */
export interface Side {
  service: Service;
  /** The fault proxy's address, which wallets, pages and the other service use for this service. */
  publicUrl: string;
  faults: Faults;
  wallet: WalletBrowser;
  /** The wallet's popup. */
  page: Page;
  words: string;
  userId: string;
  paymail: string;
  /** The client identifier of this user's application, which receives webhook events. */
  clientIdentifier: string;
  receiver: TestReceiver;
  /**
   * Opens a shop page with one button in this user's browser. The button's script comes from this service or from
   * `service`.
   */
  shop(attributes: Record<string, string>, service?: string): Promise<Page>;
  read: Read;
}

/** Both services and their users: `alice` is at `localhost`, `bob` at `127.0.0.1`. */
export interface TwoHosts {
  alice: Side;
  bob: Side;
  site: Site;
  fund(side: Pick<Side, 'page'>, satoshis: number): Promise<void>;
  mine(blocks?: number): Promise<void>;
  end(): Promise<void>;
}

/** Starts the network in the test's process so that it keeps running when a service is killed. */
async function startLedger(): Promise<{ url: string; stop(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'service-button-ledger-'));
  const devnet = await openDevnet({ directory, blockIntervalMs: 0 });
  const http = createServer(express().use('/devnet', devnet.router)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/devnet`,
    async stop() {
      http.closeAllConnections();
      http.close();
      await devnet.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function startSide(host: string, handle: string, name: string, ledgerUrl: string, site: Site): Promise<Side> {
  const port = await freePort();
  const publicUrl = `http://${host}:${port}`;
  const [service, wallet, receiver] = await Promise.all([
    startService(
      {
        BASE_URL: publicUrl,
        PAYMAIL_DOMAIN: `${host}:${port}`,
        ARC_URL: `${ledgerUrl}/arc`,
        WOC_URL: `${ledgerUrl}/woc/v1/bsv/test`,
      },
      { ownDatabase: true },
    ),
    launchWallet(),
    startTestReceiver(),
  ]);
  const faults = await startFaults(service.url, port);
  const { words, page } = await quickWallet(wallet, { serviceUrl: publicUrl, handle, name });
  const { account } = await ask(page, 'wallet/overview', {});
  if (!account) throw new Error(`${handle} has no account`);
  // The wallet doesn't reveal its token, so it is read from a request.
  const used = faults.next(/ \/api\/v2\/me\/balance/);
  await ask(page, 'wallet/refresh', {});
  await used;
  const [token = ''] = faults.bearers;
  const made = await fetch(`${publicUrl}/api/v2/me/applications`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({
      name: `The application of ${name}`,
      url: 'https://app.example',
      webhookUrl: `${receiver.url}/hook`,
    }),
  });
  if (made.status !== 201) throw new Error(await made.text());
  const { application } = (await made.json()) as { application: { clientIdentifier: string } };
  let pages = 0;
  return {
    service,
    publicUrl,
    faults,
    wallet,
    page,
    words,
    receiver,
    read: reader(publicUrl, token),
    userId: account.id,
    paymail: account.paymail,
    clientIdentifier: application.clientIdentifier,
    async shop(attributes, from = publicUrl) {
      pages += 1;
      const path = `/${handle}/${pages}`;
      site.page(path, shopPage(from, { label: 'Pay', ...attributes }));
      const shop = await wallet.browser.newPage();
      await shop.goto(`${site.origin}${path}`);
      return shop;
    },
  };
}

/** Creates the setup, with Alice at one service and Bob at the other, without coins. */
export async function startTwoHosts(): Promise<TwoHosts> {
  const [ledger, site] = await Promise.all([startLedger(), startSite()]);
  const [alice, bob] = await Promise.all([
    startSide('localhost', 'alice', 'Alice Liddell', ledger.url, site),
    startSide('127.0.0.1', 'bob', 'Bob Cratchit', ledger.url, site),
  ]);
  const sides = [alice, bob];
  return {
    alice,
    bob,
    site,
    async fund({ page }, satoshis) {
      const { receiveAddress } = await ask(page, 'wallet/overview', {});
      await postJson(`${ledger.url}/faucet`, { address: receiveAddress, satoshis });
      await ask(page, 'wallet/refresh', {});
    },
    async mine(blocks = 1) {
      await postJson(`${ledger.url}/mine`, { blocks });
    },
    async end() {
      await Promise.all(sides.map(({ wallet }) => wallet.close()));
      await Promise.all(
        sides.flatMap(({ faults, receiver, service }) => [faults.stop(), receiver.close(), service.stop()]),
      );
      await Promise.all([site.stop(), ledger.stop()]);
    },
  };
}

/** Reads a service's API as a user. */
export type Read = <T>(path: string) => Promise<T>;

export function reader(serviceUrl: string, token: string): Read {
  return async (path) => {
    const response = await fetch(serviceUrl + path, { headers: { Authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
}

export type ListedPayment = z.infer<typeof paymentsResponse>['payments'][number];

/** Waits until a user's list of payments contains exactly one payment with this transaction. @returns that payment */
export async function listedOnce({ read }: { read: Read }, txid: string, status = 'RECEIVED'): Promise<ListedPayment> {
  return vi.waitFor(
    async () => {
      const { payments } = await read<z.infer<typeof paymentsResponse>>('/api/v2/me/payments');
      const found = payments.filter((payment) => payment.txid === txid);
      expect(found).toMatchObject([{ status }]);
      return found[0] as ListedPayment;
    },
    { interval: 100 },
  );
}

/** Waits until the webhook receiver has exactly these events for a transaction, in this order. */
export async function hooked({ receiver }: Side, txid: string, types: readonly string[]): Promise<void> {
  await vi.waitFor(
    () => {
      const events = receiver.received.filter(({ body }) => body.includes(txid));
      expect([...new Map(events.map(({ headers, type }) => [headers['webhook-id'], type])).values()]).toEqual(types);
    },
    { interval: 100 },
  );
}
