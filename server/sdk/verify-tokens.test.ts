/** A shop that accepts tokens, and verifies payments on its server without trusting the payer. */
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../protocol/http/api.ts';
import type { TokenValidity } from '../../protocol/payments/payment-types.ts';
import { bindToken, createAsset } from '../assets/store.ts';
import { payments } from '../database/schema.ts';
import { createTokenReport, proveReport } from '../payment-reports/testing-report.ts';
import { bearer, createTestWallet, register, registerApplication, type TestApplication } from '../testing.ts';
import { useService } from '../testing-service.ts';
import { checkPayment, verifyPayment, VerificationError, type Expectation } from './index.ts';

describe('a payment in tokens', () => {
  const { app, arc, database } = useService();
  const wallet = createTestWallet();
  const [ID, OTHER] = [`${'ab'.repeat(32)}_0`, `${'cd'.repeat(32)}_0`];
  let payer: Session;
  let shop: TestApplication;
  let assetId: string;
  let names: string[];

  beforeAll(async () => {
    payer = await register(app, wallet, 'payer');
    const keeper = await register(app, createTestWallet(), 'keeper');
    shop = await registerApplication(app, keeper);
    const now = new Date(app.clock.ms);
    const described = { name: 'Garden hours', description: '', avatar: null, url: null, supply: 1000n, decimals: 1 };
    const asset = await createAsset(database.db, Number(keeper.user.id), { ...described, paymailAlias: 'gold' }, now);
    await bindToken(database.db, Number(keeper.user.id), asset.id, { tokenId: ID, state: 'minted' }, now);
    assetId = asset.id;
    names = ['gold', `gold@${new URL(app.baseUrl).hostname}`, assetId, ID];
  });

  /** Reports a payment of 25 base units, and returns its ID and recipient. */
  async function pay(validity: TokenValidity, id = ID, named = id): Promise<{ id: string; to: string }> {
    const made = createTokenReport(wallet.publicKey, { id, units: 25n }, { currency: named });
    arc.statuses.set(made.txid, 'SEEN_ON_NETWORK');
    const report = proveReport({ ...made.report, clientIdentifier: shop.clientIdentifier }, wallet.publicKey, made.key);
    expect((await app.post('/api/v2/payments', report, bearer(payer))).status).toBe(201);
    await database.db.update(payments).set({ tokenValidity: validity }).where(eq(payments.id, report.id));
    return { id: report.id, to: report.outputs[0]?.to ?? '' };
  }
  const verify = (paymentId: string, wanted: Expectation) =>
    verifyPayment({ apiUrl: app.url, ...shop, paymentId, expect: wanted }).then(
      () => 'good',
      (error: unknown) => (error instanceof VerificationError ? error.code : error),
    );

  it('passes verification under any name of the asset if the service has verified that the sender had the token', async () => {
    const { id, to } = await pay('valid');
    for (const currency of names) {
      expect(await verify(id, { to, amount: '2.5', currency }), currency).toBe('good');
      expect(await verify(id, { to, amount: '1', currency, buttonId: 'invoice-1' }), currency).toBe('good');
      expect(await verify(id, { to, amount: '2.6', currency }), currency).toBe('mismatch');
    }
    const { to: another } = await pay('valid');
    expect(await verify(id, { to: another, amount: '2.5', currency: 'gold' })).toBe('mismatch');
    expect(await verify(id, { to, amount: '2.5', currency: 'USD' })).toBe('mismatch');
  });

  it('fails verification if the sender didn’t have the token, or while that is unknown', async () => {
    for (const [validity, code, accepted] of [
      ['unverified', 'unverified', 'good'],
      ['unknown', 'unverified', 'good'],
      ['invalid', 'mismatch', 'mismatch'],
    ] as const) {
      const { id, to } = await pay(validity);
      const wanted = { to, amount: '2.5', currency: 'gold' };
      expect(await verify(id, wanted), validity).toBe(code);
      expect(await verify(id, { ...wanted, acceptUnverifiedTokens: true }), validity).toBe(accepted);
    }
  });

  it('rejects a payment in another token, under any name', async () => {
    for (const named of [OTHER, '1f0c7a52-6f0e-4f1e-9f43-0a1b2c3d4e5f', 'gold@elsewhere.example']) {
      const { id, to } = await pay('valid', OTHER, named);
      for (const currency of names) expect(await verify(id, { to, amount: '2.5', currency }), named).toBe('mismatch');
      expect(await verify(id, { to, amount: '2.5', currency: OTHER, decimals: 1 })).toBe('good');
      // With two decimals, 25 base units are only 0.25.
      expect(await verify(id, { to, amount: '2.5', currency: OTHER, decimals: 2 })).toBe('mismatch');
      expect(await verify(id, { to, amount: '2.5', currency: OTHER })).toBe('unsupported');
      expect(await verify(id, { to, amount: '2.5', currency: named === OTHER ? 'silver' : named })).toBe('unsupported');
    }
  });

  it('rejects a payment to a script whose text equals the expected user ID', async () => {
    const { body } = await app.get(`/api/v2/payments/${(await pay('valid')).id}`, bearer(payer));
    const outputs = body.payment.outputs.map((output: object) => ({ ...output, type: 'SCRIPT', to: '1005' }));
    const wanted = { to: '1005', amount: '2.5', currency: ID, decimals: 1 };
    expect(() => checkPayment({ ...body.payment, outputs }, wanted)).toThrow(
      expect.objectContaining({ code: 'mismatch' }) as Error,
    );
  });

  it('passes without a query if the token and its decimals are given', async () => {
    const { id, to } = await pay('valid');
    const { body } = await app.get(`/api/v2/payments/${id}`, bearer(payer));
    const wanted = { to, amount: '2.5', currency: ID, decimals: 1 };
    expect(() => checkPayment(body.payment, wanted)).not.toThrow();
    // The check fails for an output without a verdict, and for another payment's transaction.
    const silent = { ...body.payment, outputs: [{ ...body.payment.outputs[0], token: undefined }] };
    expect(() => checkPayment(silent, wanted)).toThrow(expect.objectContaining({ code: 'unverified' }) as Error);
    const { body: other } = await app.get(`/api/v2/payments/${(await pay('valid')).id}`, bearer(payer));
    const swapped = { ...body.payment, txid: other.payment.txid, rawtx: other.payment.rawtx };
    expect(() => checkPayment(swapped, wanted)).toThrow(expect.objectContaining({ code: 'mismatch' }) as Error);
  });
});
