/** The mock service's endpoints for a signed-in account, with responses set by a test. */
import type { Express } from 'express';
import type { Asset, MintReport } from '../../protocol/assets/assets.ts';

export interface TestAccount {
  /** True if the service reports that an application may read the balance. */
  balanceWanted: boolean;
  /**
   * True if the service reports that an application may read the assets. Null for a service without support for assets.
   */
  assetsWanted: boolean | null;
  connections: unknown[];
  refunds: unknown[];
  /** The avatar in every response. */
  avatar: unknown;
  /** The paymails for which avatars were requested. */
  avatarsAsked: string[];
  /** The records in every response. */
  records: { sent: unknown[]; received: unknown[] };
  /** Number of transaction IDs in each request for records. */
  recordsAsked: number[];
  namedAssets: Map<string, unknown>;
  /** Number of requests to `balance-wanted`. */
  balanceAsked: number;
  balances: unknown[];
  assets: Map<string, Asset>;
  mints: (MintReport & { assetId: string })[];
  refuseReports: string | null;
}

/** Returns the initial state. */
export const accountSettings = (): TestAccount => ({
  assets: new Map(),
  mints: [],
  refuseReports: null,
  balanceWanted: false,
  assetsWanted: null,
  namedAssets: new Map(),
  connections: [],
  refunds: [],
  avatar: null,
  avatarsAsked: [],
  records: { sent: [], received: [] },
  recordsAsked: [],
  balanceAsked: 0,
  balances: [],
});

/** Adds the account's endpoints to an app that parses JSON bodies. */
export function serveAccount(app: Express, network: TestAccount): void {
  const wanted = () => ({
    wanted: network.balanceWanted,
    ...(network.assetsWanted !== null && { assets: network.assetsWanted }),
  });
  app.get('/api/v2/me/assets/:id', (request, response) => {
    const asset = network.assets.get(request.params.id);
    if (asset) response.json(asset);
    else response.status(404).json({ error: { code: 'not-found', message: '' } });
  });
  app.post('/api/v2/me/assets/:id/mint', (request, response) => {
    const { id } = request.params;
    if (network.refuseReports !== null)
      return response.status(400).json({ error: { code: network.refuseReports, message: '' } });
    const report = request.body as MintReport;
    network.mints.push({ ...report, assetId: id });
    const minted = { ...(network.assets.get(id) as Asset), state: 'minting' as const, tokenId: report.tokenId };
    network.assets.set(id, minted);
    return response.json(minted);
  });
  app.get('/api/v2/assets/:name', (request, response) => {
    const known = network.namedAssets.get(String(request.params.name));
    return known ? response.json(known) : response.status(404).json({ error: { code: 'not-found', message: '' } });
  });
  app.get('/api/v2/me/balance-wanted', (_request, response) => {
    network.balanceAsked += 1;
    response.json(wanted());
  });
  app.get('/api/v2/me/connections', (_request, response) => void response.json({ connections: network.connections }));
  app.post('/api/v2/me/avatars', (request, response) => {
    network.avatarsAsked.push((request.body as { paymail: string }).paymail);
    response.json({ avatar: network.avatar });
  });
  app.get('/api/v2/me/refunds', (_request, response) => void response.json({ refunds: network.refunds }));
  app.get('/api/v2/me/records', (request, response) => {
    network.recordsAsked.push(String(request.query.txids).split(',').length);
    response.json(network.records);
  });
  app.delete('/api/v2/me/connections/:id', (request, response) => {
    network.connections = (network.connections as { id: string }[]).filter(({ id }) => id !== request.params.id);
    response.status(204).end();
  });
  app.put('/api/v2/me/balance', (request, response) => {
    network.balances.push(request.body);
    response.json(wanted());
  });
}
