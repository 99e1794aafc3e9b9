/** Tests how a token payment appears in the API and on the service's pages, but not in money totals. */
import { beforeAll, expect, it } from 'vitest';
import type { Session } from '../../../../protocol/http/api.ts';
import { bindToken, createAsset } from '../../../assets/store.ts';
import { createTokenReport } from '../../../payment-reports/testing-report.ts';
import { paymentSums } from '../../../database/schema.ts';
import { proveReport } from '../../../payment-reports/testing-report.ts';
import { bearer, createTestWallet, register, registerApplication, signInOnPages } from '../../../testing.ts';
import { useService } from '../../../testing-service.ts';

const { app, arc, database } = useService();
const ID = `${'ab'.repeat(32)}_0`;

async function seller() {
  const [sellerWallet, payerWallet] = [createTestWallet(), createTestWallet()];
  const session: Session = await register(app, sellerWallet, 'seller');
  const payer = await register(app, payerWallet, 'payer');
  const { clientIdentifier, id: applicationId } = await registerApplication(app, session);
  const now = new Date(app.clock.ms);
  const asset = await createAsset(
    database.db,
    Number(session.user.id),
    {
      name: 'Garden hours',
      description: '',
      avatar: null,
      url: null,
      supply: 1000n,
      decimals: 1,
      paymailAlias: 'gold',
    },
    now,
  );
  await bindToken(database.db, Number(session.user.id), asset.id, { tokenId: ID, state: 'minting' }, now);
  const report = async (units: bigint, name: string) => {
    const made = createTokenReport(payerWallet.publicKey, { id: ID, units }, { currency: name });
    arc.statuses.set(made.txid, 'SEEN_ON_NETWORK');
    const { inputProof: _, ...said } = { ...made.report, clientIdentifier };
    return app.post('/api/v2/payments', proveReport(said, payerWallet.publicKey, made.key), bearer(payer));
  };
  return { report, asset, applicationId, pages: await signInOnPages(app, sellerWallet) };
}

let all: Awaited<ReturnType<typeof seller>>;
beforeAll(async () => {
  all = await seller();
});

it('a token payment shows its script’s token as unverified, and doesn’t count as money', async () => {
  const { report, asset, pages } = all;
  const name = `gold@${new URL(app.baseUrl).hostname}`;
  for (const named of [name, asset.id, ID]) {
    expect((await report(24n, named)).body.error.code, named).toBe('payment-mismatch');
    const { status, body } = await report(25n, named);
    expect([status, body.payment], named).toMatchObject([
      201,
      {
        amount: '2.50',
        currency: named,
        satoshis: '1',
        serviceAmount: null,
        amountUsd: null,
        amountDeviates: null,
        outputs: [
          {
            currency: named,
            satoshis: '1',
            token: { id: ID, units: '25', validity: 'unverified', assetId: asset.id },
          },
        ],
      },
    ]);
  }
  expect(await database.db.select().from(paymentSums)).toEqual([]);

  const { body } = await report(25n, name);
  const path = `/account/payments/${body.payment.id}`;
  const page = (await app.send('GET', path, undefined, pages)).body as string;
  expect(page).toContain(`2.50 ${name}`);
  expect(page).toContain(ID);
  expect(page).toContain('don’t hand anything over yet');
  expect(page).not.toContain('1 satoshi');
  // The satoshi that carries the token can't be refunded.
  expect(page).not.toContain(`${path}/refund`);
  expect((await app.send('GET', `${path}/refund`, undefined, pages)).status).toBe(404);
});

it('a token payment shows the token’s ID instead of the payer’s name for it if this service doesn’t know the name', async () => {
  const { report, pages, applicationId } = all;
  const uuid = '1f0c7a52-6f0e-4f1e-9f43-0a1b2c3d4e5f';
  for (const named of [uuid, 'dear@elsewhere.example', 'nobody@127.0.0.1']) {
    const { status, body } = await report(25n, named);
    expect([status, body.payment], named).toMatchObject([
      201,
      { currency: ID, outputs: [{ currency: ID, token: { id: ID, units: '25', assetId: null } }] },
    ]);
    const page = (await app.send('GET', `/account/payments/${body.payment.id}`, undefined, pages)).body as string;
    // The token's claimed name is shown only once, among the payer's claims.
    expect(page.split(named), named).toHaveLength(2);
    expect(page).toContain('Smallest units: 25, of token abababab…');
  }
  const { body: csv } = await app.send('GET', `/account/applications/${applicationId}/payments.csv`, undefined, pages);
  expect(csv).not.toContain(uuid);
  expect(csv).toContain(`,${ID},25,unverified\r\n`);
});
