import { randomUUID } from 'node:crypto';
import { BSM, PrivateKey, Utils } from '@bsv/sdk';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../../../protocol/http/api.ts';
import * as v1 from '../../../protocol/compat/api-v1.ts';
import * as v2 from '../../../protocol/http/api-v2.ts';
import { asset, assetsResponse, MAX_ASSETS, mintMessage, type Asset } from '../../../protocol/assets/assets.ts';
import {
  assetBalanceMessage,
  balanceMessage,
  type AssetBalance,
} from '../../../protocol/signed-messages/balance-message.ts';
import { createTestMint } from '../../assets/testing-mint.ts';
import { deleteUnwantedBalances } from '../../balances/store.ts';
import { createArcClient } from '../../chain/arc-client.ts';
import { startTestArc } from '../../chain/testing-arc.ts';
import { assets, balances, consents } from '../../database/schema.ts';
import type { Scope } from '../../identity/scopes.ts';
import { issueToken } from '../../identity/tokens.ts';
import { followMints } from '../../settlement/follow-mints.ts';
import { bearer, createTestWallet, register, registerApplication, type TestApplication } from '../../testing.ts';
import { useService } from '../../testing-service.ts';

describe('assets', () => {
  const { app, arc, database } = useService();
  const [wallet, bobWallet] = [createTestWallet(), createTestWallet()];
  let alice: Session;
  let bob: Session;
  let shop: TestApplication;
  const now = () => new Date(app.clock.ms);

  beforeAll(async () => {
    [alice, bob] = [await register(app, wallet, 'alice'), await register(app, bobWallet, 'bob')];
    shop = await registerApplication(app, bob);
  });
  beforeEach(async () => {
    await database.db.delete(assets);
    await database.db.delete(consents);
    await database.db.delete(balances);
    arc.statuses.clear();
  });

  const granted = async (...scopes: Scope[]) => ({
    Authorization: `Bearer ${await issueToken(database.db, 'user', { userId: Number(alice.user.id), applicationId: shop.id, scopes }, now())}`,
  });
  const writes = () => granted('users.asset:write');
  const reads = () => granted('users.asset:read');
  const codeOf = ({ status, body }: { status: number; body: any }) => [
    status,
    body.error?.code ?? body.errors?.[0]?.code,
  ];
  /** A request body as sent by software written for the original service. */
  const BODY = { protocol: 'SFP@0.1', name: 'Garden hours', initialSupply: 1_000_000, description: 'One hour each.' };
  const create = async (body: object = {}, session = alice): Promise<Asset> => {
    const answer = await app.post('/api/v2/me/assets', { ...BODY, ...body }, bearer(session));
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return asset.parse(answer.body);
  };
  const stored = async () => database.db.select().from(assets);

  describe('creation', () => {
    it('[V-03] accepts an asset from an authorized application in the original service’s format', async () => {
      const answer = await app.post(
        '/api/v2/me/assets',
        { ...BODY, avatar: 'https://pictures.example/a.png', url: 'https://garden.example' },
        await writes(),
      );
      expect(answer.status).toBe(201);
      expect(asset.parse(answer.body)).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Garden hours',
        description: 'One hour each.',
        avatar: 'https://pictures.example/a.png',
        url: 'https://garden.example',
        protocol: 'bsv-21',
        initialSupply: '1000000',
        decimals: 0,
        userId: alice.user.id,
        // Without an alias, the service generates one, because software written for the original service pays
        // `alias@domain`.
        paymailAlias: expect.stringMatching(/^asset-[a-z0-9]{12}$/),
        paymailDomain: 'localhost',
        state: 'pending',
        tokenId: null,
        createdAt: now().toISOString(),
        updatedAt: now().toISOString(),
      });
    });

    it('accepts every field, a supply too large for a number, and decimals', async () => {
      const made = await create({
        protocol: 'bsv-21',
        initialSupply: '18446744073709551615',
        decimals: 18,
        paymailAlias: 'Garden',
        paymailDomain: 'LOCALHOST',
        avatar: null,
        url: '',
      });
      expect(made).toMatchObject({
        initialSupply: '18446744073709551615',
        decimals: 18,
        paymailAlias: 'garden',
        avatar: null,
        url: null,
      });
      expect(asset.parse((await app.get(`/api/v2/me/assets/${made.id}`, await reads())).body)).toEqual(made);
    });

    const WRONG: [string, object, RegExp][] = [
      ['a short name', { name: 'Gold' }, /at least 5 characters/],
      ['a name of blanks', { name: '        ' }, /at least 5 characters/],
      ['a name that cannot be seen', { name: '\u3164\u3164\u3164\u3164\u3164' }, /must contain visible characters/],
      ['a name that turns the text', { name: 'Gold\u202Eknab' }, /can’t be displayed/],
      ['a long name', { name: 'x'.repeat(101) }, /at most 100/],
      ['a long description', { description: 'x'.repeat(1001) }, /at most 1000/],
      ['no supply', { initialSupply: undefined }, /supply/],
      ['a supply of zero', { initialSupply: 0 }, /supply/],
      ['a negative supply', { initialSupply: '-1' }, /supply/],
      ['a part', { initialSupply: 1.5 }, /supply/],
      ['a number that is not exact', { initialSupply: 2 ** 53 }, /supply/],
      ['more than a token has', { initialSupply: '18446744073709551616' }, /supply/],
      ['a leading zero', { initialSupply: '01' }, /supply/],
      ['another ledger', { protocol: 'RUN' }, /bsv-21/],
      ['no ledger', { protocol: undefined }, /protocol must be bsv-21/],
      ['19 decimals', { decimals: 19 }, /decimals/],
      ['a script as a picture', { avatar: 'javascript:alert(1)' }, /https/],
      ['a picture over http', { avatar: 'http://pictures.example/a.png' }, /https/],
      ['a picture with a password', { avatar: 'https://a:b@pictures.example/a.png' }, /https/],
      ['a long address', { url: `https://garden.example/${'x'.repeat(500)}` }, /at most 500/],
      ['an alias that is none', { paymailAlias: 'no alias' }, /3 to 30/],
      ['digits alone', { paymailAlias: '12345' }, /3 to 30/],
      ['another domain', { paymailAlias: 'garden', paymailDomain: 'elsewhere.example' }, /paymail domain must be/],
      ['something more', { mintedBy: 'me' }, /unknown members/],
    ];
    it.each(WRONG)('rejects %s', async (_name, wrong, message) => {
      const answer = await app.post('/api/v2/me/assets', { ...BODY, ...wrong }, bearer(alice));
      expect(codeOf(answer)).toEqual([400, 'invalid-request']);
      expect(answer.body.error.message).toMatch(message);
      expect(await stored()).toEqual([]);
    });

    it('only authorized callers can write and read assets', async () => {
      const { id } = await create();
      for (const [method, path, body] of [
        ['POST', '/api/v2/me/assets', BODY],
        ['PUT', `/api/v2/me/assets/${id}`, { name: 'Another name' }],
        ['DELETE', `/api/v2/me/assets/${id}`, undefined],
        ['PATCH', `/api/v1/assets/${id}`, {}],
        ['POST', `/api/v1/users/${alice.user.id}/assets`, {}],
      ] as const) {
        expect(codeOf(await app.send(method, path, body, await reads())), path).toEqual([403, 'insufficient-scope']);
        expect(codeOf(await app.send(method, path, body)), path).toEqual([401, 'unauthenticated']);
      }
      for (const path of [
        '/api/v2/me/assets',
        `/api/v2/me/assets/${id}`,
        `/api/v1/assets/${id}`,
        `/api/v1/users/${alice.user.id}/assets`,
      ]) {
        expect(codeOf(await app.get(path, await writes())), path).toEqual([403, 'insufficient-scope']);
        expect((await app.get(path, await reads())).status, path).toBe(200);
      }
      expect(codeOf(await app.post(`/api/v2/me/assets/${id}/mint`, {}, await granted('users.asset:write')))).toEqual([
        403,
        'insufficient-scope',
      ]);
    });

    it('other users can’t access an asset', async () => {
      const { id } = await create();
      for (const [method, path, body] of [
        ['GET', `/api/v2/me/assets/${id}`, undefined],
        ['PUT', `/api/v2/me/assets/${id}`, { name: 'Bob’s own' }],
        ['DELETE', `/api/v2/me/assets/${id}`, undefined],
        ['GET', `/api/v1/assets/${id}`, undefined],
        ['GET', `/api/v1/users/${alice.user.id}/assets`, undefined],
        ['PATCH', `/api/v1/assets/${id}`, { data: { id, type: 'assets', attributes: { name: 'Bob’s own' } } }],
        ['GET', '/api/v2/me/assets/x%00', undefined],
      ] as const)
        expect(codeOf(await app.send(method, path, body, bearer(bob))), path).toEqual([404, 'not-found']);
      expect((await stored())[0]?.name).toBe('Garden hours');
    });

    it('only the name, description and picture can change', async () => {
      const made = await create({ avatar: 'https://pictures.example/a.png' });
      app.clock.ms += 1000;
      const put = (body: object) => app.send('PUT', `/api/v2/me/assets/${made.id}`, body, bearer(alice));
      const changed = asset.parse((await put({ name: 'Garden days', description: 'One day each.' })).body);
      expect(changed).toEqual({
        ...made,
        name: 'Garden days',
        description: 'One day each.',
        updatedAt: now().toISOString(),
      });
      expect((await put({ avatar: null })).body).toEqual({ ...changed, avatar: null });
      expect(codeOf(await put({ initialSupply: 5 }))).toEqual([400, 'invalid-request']);
      expect(codeOf(await put({ name: 'Gold' }))).toEqual([400, 'invalid-request']);
    });

    it('lists show the newest first, in pages', async () => {
      const made = [];
      for (let i = 0; i < 5; i += 1) {
        made.unshift(await create({ name: `Asset ${i}` }));
        if (i % 2 === 0) app.clock.ms += 1000;
      }
      const pages: Asset[][] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = assetsResponse.parse(
          (await app.get(`/api/v2/me/assets?limit=2${cursor && `&cursor=${cursor}`}`, await reads())).body,
        );
        pages.push(page.assets);
        cursor = page.nextCursor;
      }
      expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
      expect(pages.flat().map(({ id }) => id)).toHaveLength(5);
      expect(new Set(pages.flat().map(({ id }) => id))).toEqual(new Set(made.map(({ id }) => id)));
      expect(pages.flat().at(-1)?.name).toBe('Asset 0');
      for (const query of ['limit=0', 'limit=101', 'cursor=x', 'page=2'])
        expect(codeOf(await app.get(`/api/v2/me/assets?${query}`, await reads())), query).toEqual([
          400,
          'invalid-request',
        ]);
    });

    it('each application creates one asset per Idempotency-Key', async () => {
      const key = { 'Idempotency-Key': `"${randomUUID()}"` };
      const post = async (headers: Record<string, string>, body: object = BODY) =>
        app.post('/api/v2/me/assets', body, { ...headers, ...key });
      const token = await writes();
      const [first, again] = [await post(token), await post(token)];
      expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
      expect(codeOf(await post(token, { ...BODY, name: 'Another name' }))).toEqual([422, 'idempotency-conflict']);
      // Keys are per caller, so the wallet's request with the same key doesn't return the application's response.
      expect((await post(bearer(alice))).body.id).not.toBe(first.body.id);
      expect(await stored()).toHaveLength(2);
    });

    it('the limit per user also applies to concurrent requests', async () => {
      const held = await create();
      const [row] = await stored();
      await database.db.insert(assets).values(
        Array.from({ length: MAX_ASSETS - 2 }, (_, i) => {
          const { aliasSkeleton: _skeleton, ...rest } = row as NonNullable<typeof row>;
          return {
            ...rest,
            id: randomUUID(),
            paymailAlias: `filler-${'abcdefghjk'[i % 10]}${'abcdefghjk'[Math.floor(i / 10)]}`,
          };
        }),
      );
      const answers = await Promise.all([1, 2, 3].map(() => app.post('/api/v2/me/assets', BODY, bearer(alice))));
      expect(answers.map(codeOf).sort()).toEqual([
        [201, undefined],
        [409, 'too-many-assets'],
        [409, 'too-many-assets'],
      ]);
      expect((await app.send('DELETE', `/api/v2/me/assets/${held.id}`, undefined, bearer(alice))).status).toBe(204);
      await create();
    });
  });

  describe('paymail', () => {
    it('can’t have a user’s handle, a look-alike of one, or a reserved handle', async () => {
      for (const paymailAlias of ['bob', 'b0b', 'b.o.b', 'admin']) {
        const answer = await app.post('/api/v2/me/assets', { ...BODY, paymailAlias }, bearer(alice));
        expect(codeOf(answer), paymailAlias).toEqual([409, 'handle-taken']);
        expect(answer.body.error.message).toMatch(/^This alias/);
      }
      await create({ paymailAlias: 'silver' });
      expect(codeOf(await app.post('/api/v2/me/assets', { ...BODY, paymailAlias: 's1lver' }, bearer(bob)))).toEqual([
        409,
        'handle-taken',
      ]);
    });

    it('can’t be registered by a user later', async () => {
      await create({ paymailAlias: 'copper' });
      expect((await app.get('/api/v2/handles/copper')).body).toEqual({ handle: 'copper', available: false });
      await expect(register(app, createTestWallet(), 'c0pper')).rejects.toThrow();
    });

    it('goes to only one of several concurrent requests, and can’t be paid', async () => {
      const answers = await Promise.all(
        [alice, bob, alice, bob].map((session) =>
          app.post('/api/v2/me/assets', { ...BODY, paymailAlias: 'bronze' }, bearer(session)),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
      expect((await app.get('/bsvalias/id/bronze@localhost')).status).toBe(404);
    });

    it('can’t go to both an account and an asset that request it concurrently', async () => {
      for (let round = 0; round < 5; round += 1) {
        const paymailAlias = `tin-${'abcde'[round]}`;
        const [account, made] = await Promise.all([
          register(app, createTestWallet(), paymailAlias).then(
            () => true,
            () => false,
          ),
          app.post('/api/v2/me/assets', { ...BODY, paymailAlias }, bearer(bob)).then(({ status }) => status === 201),
        ]);
        expect([account, made].filter(Boolean)).toHaveLength(1);
      }
    });
  });

  describe('minting', () => {
    const mint = (id: string, body: unknown, session = alice) =>
      app.post(`/api/v2/me/assets/${id}/mint`, body, bearer(session));

    it('a mint report binds the token to the asset once; repeating the report changes nothing', async () => {
      const made = await create({ decimals: 2, paymailAlias: 'garden' });
      const { txid, report } = createTestMint(made, wallet.publicKey);
      expect(codeOf(await app.get('/api/v2/assets/garden'))).toEqual([404, 'not-found']);
      expect(codeOf(await mint(made.id, report))).toEqual([422, 'not-accepted']);
      arc.statuses.set(txid, 'ANNOUNCED_TO_NETWORK');
      expect(codeOf(await mint(made.id, report))).toEqual([503, 'network-unavailable']);
      arc.statuses.set(txid, 'SEEN_ON_NETWORK');
      const answers = await Promise.all([1, 2, 3].map(() => mint(made.id, report)));
      for (const { status, body } of answers) {
        expect(status).toBe(200);
        expect(asset.parse(body)).toEqual({ ...made, state: 'minting', tokenId: report.tokenId });
      }
      for (const name of [
        made.id,
        report.tokenId,
        'garden',
        'garden@localhost',
        'GARDEN@localhost',
        'garden@ｌocalhost',
      ])
        expect((await app.get(`/api/v2/assets/${encodeURIComponent(name)}`)).body, name).toEqual(answers[0]?.body);
      for (const name of ['garden@elsewhere.example', `${report.tokenId}@localhost`, 'g4rden', '%00', "a'"])
        expect(codeOf(await app.get(`/api/v2/assets/${encodeURIComponent(name)}`)), name).toEqual([404, 'not-found']);
      expect(codeOf(await app.send('DELETE', `/api/v2/me/assets/${made.id}`, undefined, bearer(alice)))).toEqual([
        409,
        'asset-conflict',
      ]);
    });

    it.each(['MINED', 'IMMUTABLE'] as const)(
      'binds a token from a version 2 transaction only once it is %s',
      async (mined) => {
        const made = await create({ decimals: 2 });
        const { txid, report } = createTestMint(made, wallet.publicKey, { version: 2 });
        arc.statuses.set(txid, 'SEEN_ON_NETWORK');
        expect(codeOf(await mint(made.id, report))).toEqual([503, 'network-unavailable']);
        // The test server's type lists only ARC's statuses.
        arc.statuses.set(txid, mined as 'MINED');
        expect((await mint(made.id, report)).body).toMatchObject({ state: 'minted', tokenId: report.tokenId });
      },
    );

    it('follows a mint until it is mined or the network rejects it', async () => {
      const [one, two] = [await create(), await create()];
      const mints = [one, two].map((made) => createTestMint(made, wallet.publicKey));
      for (const [i, { txid, report }] of mints.entries()) {
        arc.statuses.set(txid, 'SEEN_ON_NETWORK');
        expect((await mint([one, two][i]?.id as string, report)).status).toBe(200);
      }
      const log = { info: () => {}, warn: () => {} } as never;
      const follow = () =>
        followMints({ db: database.db, arc: createArcClient(arc.url), now, log, maxDelayMs: 60_000 });
      expect(await follow()).toBe(2);
      expect(await follow()).toBe(0);
      const states = async () =>
        Promise.all(
          [one, two].map(async ({ id }) => {
            const { state, tokenId } = (await app.get(`/api/v2/me/assets/${id}`, bearer(alice))).body;
            return [state, tokenId];
          }),
        );
      expect((await states()).map(([state]) => state)).toEqual(['minting', 'minting']);
      arc.statuses.set(mints[0]?.txid as string, 'MINED');
      arc.statuses.set(mints[1]?.txid as string, 'REJECTED');
      app.clock.ms += 2_000;
      expect(await follow()).toBe(2);
      expect(await states()).toEqual([
        ['minted', mints[0]?.report.tokenId],
        ['pending', null],
      ]);
      app.clock.ms += 120_000;
      expect(await follow()).toBe(0);
      // After a rejected mint, the asset can be bound to another token.
      const second = createTestMint(two, wallet.publicKey);
      arc.statuses.set(second.txid, 'MINED');
      expect((await mint(two.id, second.report)).body).toMatchObject({
        state: 'minted',
        tokenId: second.report.tokenId,
      });
    });

    it('a mint ends once two operators reject it, or once one does and no other accepts it for three days', async () => {
      const second = await startTestArc();
      try {
        const made = await Promise.all([create(), create(), create(), create()]);
        const mints = made.map((one) => createTestMint(one, wallet.publicKey));
        const others = ['SEEN_ON_NETWORK', 'REJECTED', null, 'MINED'] as const;
        for (const [i, { txid, report }] of mints.entries()) {
          arc.statuses.set(txid, 'SEEN_ON_NETWORK');
          expect((await mint(made[i]?.id as string, report)).status).toBe(200);
          arc.statuses.set(txid, 'REJECTED');
          const other = others[i];
          if (other) second.statuses.set(txid, other);
        }
        const log = { info: () => {}, warn: () => {} } as never;
        const states = async (later: number) => {
          await followMints({
            db: database.db,
            arc: createArcClient(arc.url, { others: [second.url] }),
            now: () => new Date(app.clock.ms + later),
            log,
            maxDelayMs: 60_000,
          });
          const stored = await Promise.all(made.map(({ id }) => app.get(`/api/v2/me/assets/${id}`, bearer(alice))));
          return stored.map(({ body }) => body.state);
        };
        expect(await states(0)).toEqual(['minting', 'pending', 'minting', 'minted']);
        const threeDays = 3 * 24 * 3600_000;
        expect(await states(threeDays - 1000)).toEqual(['minting', 'pending', 'minting', 'minted']);
        // Three days later, no other operator has accepted the mint.
        expect(await states(threeDays + 120_000)).toEqual(['minting', 'pending', 'pending', 'minted']);
      } finally {
        await second.close();
      }
    });

    it('rejects another owner’s token or one that differs from the description', async () => {
      const made = await create({ decimals: 2 });
      const supply = BigInt(made.initialSupply);
      const token = (changes: object) => ({ op: 'deploy+mint' as const, amt: supply, dec: 2, ...changes });
      const forged = (options: Parameters<typeof createTestMint>[2] = {}, of = made, key = wallet.publicKey) =>
        createTestMint(of, key, options);
      const honest = forged();
      const cases: [string, typeof honest, string][] = [
        ['more', forged({ token: token({ amt: supply + 1n }) }), 'asset-mismatch'],
        ['less', forged({ token: token({ amt: supply - 1n }) }), 'asset-mismatch'],
        ['other decimals', forged({ token: token({ dec: 3 }) }), 'asset-mismatch'],
        [
          'a transfer',
          forged({ token: { op: 'transfer', id: `${'ab'.repeat(32)}_0`, amt: supply } }),
          'asset-mismatch',
        ],
        ['two satoshis', forged({ satoshis: 2n }), 'asset-mismatch'],
        ['no inscription', forged({ script: (script) => script.slice(-25) }), 'asset-mismatch'],
        ['a script cut off', forged({ script: (script) => script.slice(0, 40) }), 'asset-mismatch'],
        ['two inscriptions', forged({ script: (s) => Uint8Array.of(...s.slice(0, -25), ...s) }), 'asset-mismatch'],
        ['another signer', forged({ signer: PrivateKey.fromRandom() }), 'asset-mismatch'],
        ['another asset', forged({}, { ...made, id: randomUUID() }), 'asset-mismatch'],
        ['another owner', forged({}, made, bobWallet.publicKey), 'asset-mismatch'],
        ['another output', { ...honest, report: { ...honest.report, tokenId: `${honest.txid}_0` } }, 'asset-mismatch'],
        ['no output', { ...honest, report: { ...honest.report, tokenId: `${honest.txid}_7` } }, 'asset-mismatch'],
        [
          'another transaction',
          { ...honest, report: { ...honest.report, tokenId: `${'ab'.repeat(32)}_1` } },
          'asset-mismatch',
        ],
        [
          'more bytes',
          { ...honest, report: { ...honest.report, rawtx: `${honest.report.rawtx}00` } },
          'invalid-transaction',
        ],
        ['no bytes', { ...honest, report: { ...honest.report, rawtx: 'zz' } }, 'invalid-request'],
      ];
      for (const [name, { txid, report }, code] of cases) {
        arc.statuses.set(txid, 'SEEN_ON_NETWORK');
        expect(codeOf(await mint(made.id, report))[1], name).toBe(code);
      }
      expect(codeOf(await mint(made.id, honest.report, bob))).toEqual([404, 'not-found']);
      expect((await stored())[0]).toMatchObject({ state: 'pending', tokenId: null });
      // Anyone can see the token, but only its minter can sign for it, so no one else can bind it.
      const bobs = await create({ decimals: 2 }, bob);
      expect(codeOf(await mint(bobs.id, honest.report, bob))).toEqual([422, 'asset-mismatch']);
    });

    it('rejects a second token for the asset or a second asset for the token, even concurrently', async () => {
      const [one, two] = [await create(), await create()];
      const [first, second] = [createTestMint(one, wallet.publicKey), createTestMint(one, wallet.publicKey)];
      for (const { txid } of [first, second]) arc.statuses.set(txid, 'SEEN_ON_NETWORK');
      const answers = await Promise.all([first, second].map(({ report }) => mint(one.id, report)));
      expect(answers.map(codeOf).sort()).toEqual([
        [200, undefined],
        [409, 'asset-conflict'],
      ]);
      const shared = createTestMint(two, wallet.publicKey);
      arc.statuses.set(shared.txid, 'SEEN_ON_NETWORK');
      const three = await create();
      const signedFor = ({ id }: Asset) => ({
        ...shared.report,
        inputProof: BSM.sign(
          Utils.toArray(mintMessage(id, shared.txid, wallet.publicKey), 'utf8'),
          shared.key,
          'base64',
        ) as string,
      });
      const both = await Promise.all([two, three].map((one) => mint(one.id, signedFor(one))));
      expect(both.map(codeOf).sort()).toEqual([
        [200, undefined],
        [409, 'asset-conflict'],
      ]);
    });
  });

  describe('JSON:API documents', () => {
    const document = (attributes: object, id?: string) => ({
      data: { ...(id !== undefined && { id }), type: 'assets', attributes },
    });
    const JSON_API = { 'Content-Type': v1.JSON_API };

    it('[V-02] assets are created, read, listed and changed', async () => {
      const path = `/api/v1/users/${alice.user.id}/assets`;
      const key = { 'Idempotency-Key': `"${randomUUID()}"` };
      const body = document({
        name: 'Garden hours',
        'initial-supply': 100,
        protocol: 'SFP',
        'paymail-alias': 'hours',
        decimals: 1,
      });
      const headers = { ...(await writes()), ...JSON_API, ...key };
      const [made, again] = [await app.post(path, body, headers), await app.post(path, body, headers)];
      expect([made.status, made.headers.get('content-type')]).toEqual([201, v1.JSON_API]);
      expect([again.status, again.headers.get('content-type'), again.body]).toEqual([201, v1.JSON_API, made.body]);
      const { data } = v1.assetDocument.parse(made.body);
      expect(data.attributes).toMatchObject({
        name: 'Garden hours',
        'initial-supply': '100',
        decimals: 1,
        'user-id': alice.user.id,
        'paymail-alias': 'hours',
        'paymail-domain': 'localhost',
        state: 'pending',
        'token-id': null,
      });
      const changed = await app.send(
        'PATCH',
        `/api/v1/assets/${data.id}`,
        document({ description: 'Weeding.' }, data.id),
        { ...(await writes()), ...JSON_API },
      );
      expect(v1.assetDocument.parse(changed.body).data.attributes.description).toBe('Weeding.');
      expect((await app.get(`/api/v1/assets/${data.id}`, await reads())).body).toEqual(changed.body);
      await create();
      const page = v1.assetsDocument.parse((await app.get(`${path}?page[number]=2&page[size]=1`, await reads())).body);
      expect([page.data.length, page.meta]).toEqual([1, { 'total-pages': 2 }]);
      const one = `/api/v1/assets/${data.id}`;
      expect(codeOf(await app.send('DELETE', one, undefined, await reads()))).toEqual([403, 'insufficient-scope']);
      expect((await app.send('DELETE', one, undefined, await writes())).status).toBe(204);
      expect(codeOf(await app.send('DELETE', one, undefined, await writes()))).toEqual([404, 'not-found']);
    });

    it('invalid documents get an error that explains the problem', async () => {
      const { id } = await create();
      const path = `/api/v1/users/${alice.user.id}/assets`;
      const RIGHT = { name: 'Garden hours', 'initial-supply': 100, protocol: 'SFP' };
      for (const [body, message] of [
        [document({ ...RIGHT, name: 'Gold' }), /5 characters/],
        [document({ ...RIGHT, 'initial-supply': 0 }), /supply/],
        [document({ ...RIGHT, initialSupply: 5 }), /unknown members/],
        [document(RIGHT, id), /new asset/],
        [{ data: { type: 'payments', attributes: RIGHT } }, /./],
        [document({ ...RIGHT, minted: true }), /unknown members/],
      ] as const) {
        const answer = await app.post(path, body, { ...(await writes()), ...JSON_API });
        expect(codeOf(answer)).toEqual([400, 'invalid-request']);
        expect(answer.body.errors[0].detail).toMatch(message);
      }
      for (const body of [document({ name: 'Garden days' }), document({ name: 'Garden days' }, randomUUID())])
        expect(codeOf(await app.send('PATCH', `/api/v1/assets/${id}`, body, await writes()))).toEqual([
          400,
          'invalid-request',
        ]);
    });
  });

  describe('balances', () => {
    const consent = (...scopes: Scope[]) =>
      database.db.insert(consents).values(
        scopes.map((scope) => ({
          userId: Number(alice.user.id),
          applicationId: shop.id,
          scope,
          grantedAt: now(),
        })),
      );
    const said = (held: AssetBalance[], by = wallet) => {
      const time = now().toISOString();
      const who = { origin: app.baseUrl, userId: alice.user.id, time };
      return {
        satoshis: '150000000',
        time,
        signature: wallet.sign(balanceMessage({ ...who, satoshis: '150000000' })),
        assets: held,
        assetsSignature: by.sign(assetBalanceMessage({ ...who, assets: held })),
      };
    };
    const put = (body: unknown) => app.send('PUT', '/api/v2/me/balance', body, bearer(alice));
    const other = { tokenId: `${'cd'.repeat(32)}_3`, amount: '7' };
    const minted = async () => {
      const made = await create({ decimals: 2, paymailAlias: 'garden' });
      const { txid, report } = createTestMint(made, wallet.publicKey);
      arc.statuses.set(txid, 'MINED');
      await app.post(`/api/v2/me/assets/${made.id}/mint`, report, bearer(alice));
      return { made, held: { tokenId: report.tokenId, amount: '1250' } };
    };

    it('tokens with both scopes can read asset balances, and the money scope alone reveals nothing about assets', async () => {
      const { made, held } = await minted();
      await consent('users.balance:read', 'users.asset:read');
      app.clock.ms += 1000;
      const publication = said([held, other]);
      expect((await put(publication)).body).toEqual({ wanted: true, assets: true });
      const both = await granted('users.balance:read', 'users.asset:read');
      const inV2 = v2.balancesResponse.parse((await app.get('/api/v2/me/balances', both)).body);
      expect(inV2.balances.slice(2)).toEqual([
        {
          currency: made.id,
          amount: '12.50',
          satoshis: null,
          asset: {
            id: made.id,
            name: 'Garden hours',
            paymailAlias: 'garden',
            paymailDomain: 'localhost',
            tokenId: held.tokenId,
          },
        },
      ]);
      expect(inV2.published.assets).toEqual({
        held: [held, other],
        message: assetBalanceMessage({
          origin: app.baseUrl,
          userId: alice.user.id,
          assets: [held, other],
          time: publication.time,
        }),
        signature: publication.assetsSignature,
      });
      const inV1 = v1.balanceDocument.parse((await app.get(`/api/v1/users/${alice.user.id}/balance`, both)).body);
      expect(inV1.data.relationships).toEqual({ 'asset-amounts': { data: [{ id: made.id, type: 'asset-amounts' }] } });
      expect(inV1.included?.[0]?.attributes).toMatchObject({
        amount: '12.50',
        currency: made.id,
        name: 'Garden hours',
      });
      for (const path of ['/api/v2/me/balances', `/api/v1/users/${alice.user.id}/balance`]) {
        const { status, body } = await app.get(path, await granted('users.balance:read'));
        expect(status).toBe(200);
        const text = JSON.stringify(body);
        for (const secret of ['asset', held.tokenId, made.id, 'Garden', 'cdcd']) expect(text).not.toContain(secret);
      }
    });

    it('the service stores asset balances only while an application has both scopes', async () => {
      const { held } = await minted();
      await consent('users.balance:read');
      expect((await put(said([held]))).body).toEqual({ wanted: true, assets: false });
      expect((await database.db.select().from(balances))[0]).toMatchObject({ assets: null, assetsSignature: null });
      await consent('users.asset:read');
      app.clock.ms += 1000;
      await put(said([held]));
      await deleteUnwantedBalances(database.db);
      expect((await database.db.select().from(balances))[0]?.assets).toEqual([held]);
      await database.db.delete(consents);
      await consent('users.balance:read');
      await deleteUnwantedBalances(database.db);
      expect((await database.db.select().from(balances))[0]).toMatchObject({ assets: null, assetsSignature: null });
    });

    it('must match the wallet’s signature, and contain no more assets than allowed', async () => {
      const { held } = await minted();
      await consent('users.balance:read', 'users.asset:read');
      const many = (n: number) =>
        Array.from({ length: n }, (_, i) => ({ tokenId: `${'cd'.repeat(32)}_${i}`, amount: '1' }));
      for (const [name, body, code] of [
        ['more', { ...said([held]), assets: [{ ...held, amount: '1251' }] }, 'invalid-signature'],
        ['another signer', said([held], bobWallet), 'invalid-signature'],
        ['no signature', { ...said([held]), assetsSignature: undefined }, 'invalid-request'],
        ['a signature of none', { ...said([held]), assets: undefined }, 'invalid-request'],
        ['one twice', said([held, held]), 'invalid-request'],
        ['none of it', said([{ ...held, amount: '0' }]), 'invalid-request'],
        ['more than there can be', said([{ ...held, amount: '18446744073709551616' }]), 'invalid-request'],
        ['201', said(many(201)), 'invalid-request'],
      ] as const)
        expect(codeOf(await put(body))[1], name).toBe(code);
      expect(await database.db.select().from(balances)).toEqual([]);
      app.clock.ms += 1000;
      expect((await put(said(many(200)))).status).toBe(200);
    });
  });
});
