import { beforeAll, expect, it } from 'vitest';
import type { Session } from '../../protocol/http/api.ts';
import { bearer, createTestWallet, register } from '../testing.ts';
import { useService } from '../testing-service.ts';
import { createTestReport } from './testing-report.ts';

const { app, arc } = useService();
const wallet = createTestWallet();
let payer: Session;
beforeAll(async () => {
  payer = await register(app, wallet, 'payer');
});

const send = ({ report }: ReturnType<typeof createTestReport>) =>
  app.post('/api/v2/payments', report, { ...bearer(payer), Prefer: 'wait=2' });

it('an account’s reports wait for their transactions up to a limit, and later ones get the current status', async () => {
  const made = Array.from({ length: 80 }, () => createTestReport([1000n], wallet.publicKey));
  arc.requests = 0;
  const answers = [
    ...(await Promise.all(made.slice(0, 40).map(send))),
    ...(await Promise.all(made.slice(40).map(send))),
  ];
  for (const { status, body, headers } of answers)
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([422, 'not-accepted', null]);
  // One query for each report, twelve more for each one that waits, and a few to detect the operator's software.
  expect(arc.requests - (80 + 40 * 12)).toBeLessThan(10);
  // Wallets repeat such a report after the network has accepted the transaction. That isn't limited.
  for (const { txid } of made) arc.statuses.set(txid, 'SEEN_ON_NETWORK');
  arc.requests = 0;
  for (const { status } of await Promise.all(made.map(send))) expect(status).toBe(201);
  expect(arc.requests).toBe(80);
});
