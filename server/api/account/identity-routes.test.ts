import { describe, expect, it } from 'vitest';
import { sql } from 'drizzle-orm';
import {
  challengeResponse,
  openChallengeResponse,
  session as sessionSchema,
  type Registration,
} from '../../../protocol/http/api.ts';
import {
  expectedSignInMessage,
  signInMessage,
  type SignInFields,
} from '../../../protocol/signed-messages/sign-in-message.ts';
import { skeletonOf } from '../../../protocol/text/confusables.ts';
import { skeletonSql } from '../../database/schema/columns.ts';
import { bearer, createTestWallet, register, type TestWallet } from '../../testing.ts';
import { useService } from '../../testing-service.ts';

const CHALLENGES = '/api/v2/sign-in/challenges';

describe('identity', () => {
  const { app, database } = useService({ baseUrl: 'https://pay.example.com' });

  const challenge = async (wallet: TestWallet, handle?: string) => {
    const answer = await app.post(CHALLENGES, {
      publicKey: wallet.publicKey,
      ...(handle && { register: wallet.registration(handle) }),
    });
    return {
      ...answer,
      signed: {
        publicKey: wallet.publicKey,
        nonce: answer.body.nonce,
        signature: answer.status === 201 ? wallet.sign(answer.body.message) : '',
      },
    };
  };

  it('registers users with ids from 1001, and signs them in again', async () => {
    const wallet = createTestWallet();
    const asked = await challenge(wallet, 'first');
    expect(asked.status).toBe(201);
    expect(challengeResponse.parse(asked.body)).toEqual(asked.body);
    expect(new Date(asked.body.expiresAt).getTime() - app.clock.ms).toBe(300_000);
    const created = await app.post('/api/v2/users', asked.signed);
    expect(created.status).toBe(201);
    expect(sessionSchema.parse(created.body)).toEqual(created.body);
    expect(Number(created.body.user.id)).toBeGreaterThan(1000);
    expect(created.body).toMatchObject({
      user: { id: expect.stringMatching(/^\d+$/), handle: 'first', paymail: 'first@pay.example.com', name: 'A Name' },
      expiresIn: 3600,
    });
    expect(created.body.accessToken).toMatch(/^wallet_[A-Za-z0-9_-]{43}$/);
    expect(created.headers.get('set-cookie')).toBeNull();
    expect(created.headers.get('cache-control')).toBe('no-store');

    const again = await app.post('/api/v2/sign-in', (await challenge(wallet)).signed);
    expect(again.status).toBe(200);
    expect(again.body.user).toEqual(created.body.user);
    expect(again.body.accessToken).not.toBe(created.body.accessToken);
  });

  it('builds the same challenge text as the wallet, regardless of the Host header', async () => {
    const wallet = createTestWallet();
    for (const headers of [
      {},
      { 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example', Origin: 'https://evil.example' },
    ]) {
      const { body } = await app.post(
        CHALLENGES,
        { publicKey: wallet.publicKey, register: wallet.registration('texts') },
        headers,
      );
      const known = {
        origin: 'https://pay.example.com',
        publicKey: wallet.publicKey,
        register: wallet.registration('texts'),
      };
      expect(expectedSignInMessage(body.message, known)).toBe(body.message);
      expect(body.message).toContain(`Nonce: ${body.nonce}\n`);
    }
  });

  it('stores neither the nonce nor the token in plain text', async () => {
    const wallet = createTestWallet();
    const { body: open } = await challenge(wallet);
    const session = await register(app, wallet, 'hashes');
    const rows = JSON.stringify([
      await database.db.execute(sql`select * from sign_in_challenges`),
      await database.db.execute(sql`select * from access_tokens`),
    ]);
    expect(rows).toContain(wallet.publicKey);
    expect(rows).not.toContain(open.nonce);
    expect(rows).not.toContain(session.accessToken.slice(7));
  });

  it('accepts only one of 16 parallel sign-ins with one nonce', async () => {
    const wallet = createTestWallet();
    await register(app, wallet, 'parallel');
    const { signed } = await challenge(wallet);
    const answers = await Promise.all(Array.from({ length: 16 }, () => app.post('/api/v2/sign-in', signed)));
    expect(answers.filter((a) => a.status === 200)).toHaveLength(1);
    expect(answers.filter((a) => a.status === 401 && a.body.error.code === 'invalid-challenge')).toHaveLength(15);
  });

  it('creates one account from 16 parallel registrations of one handle', async () => {
    const signed = await Promise.all(
      Array.from({ length: 16 }, async () => (await challenge(createTestWallet(), 'raced')).signed),
    );
    const answers = await Promise.all(signed.map((body) => app.post('/api/v2/users', body)));
    expect(answers.filter((a) => a.status === 201)).toHaveLength(1);
    expect(answers.filter((a) => a.status === 409 && a.body.error.code === 'handle-taken')).toHaveLength(15);
  });

  it('registers only one of several look-alike handles, whichever comes first', async () => {
    const alike = ['ann.x', 'annx', '4nn-x', 'a.n.n.x'];
    const signed = await Promise.all(alike.map(async (handle) => (await challenge(createTestWallet(), handle)).signed));
    const answers = await Promise.all(signed.map((body) => app.post('/api/v2/users', body)));
    expect(answers.map(({ status, body }) => (status === 201 ? 201 : body.error.code)).sort()).toEqual([
      201,
      'handle-taken',
      'handle-taken',
      'handle-taken',
    ]);
    for (const handle of alike) {
      expect((await app.get(`/api/v2/handles/${handle}`)).body.available).toBe(false);
      expect((await challenge(createTestWallet(), handle)).body.error.code).toBe('handle-taken');
    }
    expect((await app.get('/api/v2/handles/annx2')).body.available).toBe(true);
    expect((await app.get('/api/v2/handles/1005')).body.error.code).toBe('invalid-handle');
    expect((await challenge(createTestWallet(), '10-05')).body.error.code).toBe('invalid-handle');
  });

  it('computes the same skeleton of a handle as the database does', async () => {
    const texts = ['0123456789', 'il.1-l', 'barn.vvolf', 'r.n', 'v-v', 'vvrnvv', 'r-n1', 'abc'];
    for (const text of texts) {
      const { rows } = (await database.db.execute(sql`select ${skeletonSql(`'${text}'`)} as seen`)) as any;
      expect(rows[0].seen, text).toBe(skeletonOf(text));
    }
  });

  it('rejects invisible names', async () => {
    for (const name of ['\u200b', '   ', '\u2800\u3164', '\u00ad']) {
      const wallet = createTestWallet();
      const early = await app.post('/api/v2/sign-in/challenges', {
        publicKey: wallet.publicKey,
        register: wallet.registration('unseen', name),
      });
      expect([early.status, early.body.error.code], JSON.stringify(name)).toEqual([400, 'invalid-request']);
    }
    const nameless = createTestWallet();
    expect(
      (
        await app.post('/api/v2/sign-in/challenges', {
          publicKey: nameless.publicKey,
          register: nameless.registration('nameless', ''),
        })
      ).status,
    ).toBe(201);
  });

  it('creates one account from parallel registrations of one key', async () => {
    const wallet = createTestWallet();
    const signed = await Promise.all(
      ['key-a', 'key-b', 'key-c'].map(async (handle) => (await challenge(wallet, handle)).signed),
    );
    const answers = await Promise.all(signed.map((body) => app.post('/api/v2/users', body)));
    expect(answers.filter((a) => a.status === 201)).toHaveLength(1);
    expect(answers.filter((a) => a.status === 409 && a.body.error.code === 'key-taken')).toHaveLength(2);
  });

  it('reports early that a key or handle is taken', async () => {
    const wallet = createTestWallet();
    await register(app, wallet, 'early');
    expect((await challenge(wallet, 'other')).body.error.code).toBe('key-taken');
    expect((await challenge(wallet, 'early')).body.error.code).toBe('key-taken');
    const stranger = await challenge(createTestWallet(), 'early');
    expect([stranger.status, stranger.body.error.code]).toEqual([409, 'handle-taken']);
    expect((await challenge(createTestWallet(), 'admin')).body.error.code).toBe('handle-taken');
    expect((await challenge(createTestWallet(), 'sup-port')).body.error.code).toBe('handle-taken');
  });

  it('rejects an unknown account only after a valid signature', async () => {
    const wallet = createTestWallet();
    const bad = await challenge(wallet);
    expect(
      (await app.post('/api/v2/sign-in', { ...bad.signed, signature: createTestWallet().sign(bad.body.message) }))
        .status,
    ).toBe(401);
    const good = await app.post('/api/v2/sign-in', (await challenge(wallet)).signed);
    expect([good.status, good.body.error.code]).toEqual([404, 'unknown-account']);
  });

  it('rejects another key, another text and malformed signatures, and invalidates the nonce', async () => {
    const wallet = createTestWallet();
    await register(app, wallet, 'signatures');
    const other = createTestWallet();
    const bit = (text: string, at: number) => {
      const bytes = Buffer.from(text, 'base64');
      bytes[at] = (bytes[at] as number) ^ 1;
      return bytes.toString('base64');
    };
    const withHeader = (text: string, header: number) => {
      const bytes = Buffer.from(text, 'base64');
      bytes[0] = header;
      return bytes.toString('base64');
    };
    const forgeries: ((message: string) => string)[] = [
      (message) => other.sign(message),
      (message) => wallet.sign(`${message} `),
      (message) => wallet.sign(message.replace('https://pay.example.com', 'https://pay.example.org')),
      (message) => bit(wallet.sign(message), 0),
      (message) => bit(wallet.sign(message), 1),
      (message) => bit(wallet.sign(message), 64),
      // The same signature, but with the header byte for an uncompressed key.
      (message) => withHeader(wallet.sign(message), (Buffer.from(wallet.sign(message), 'base64')[0] as number) - 4),
      () => Buffer.alloc(65).toString('base64'),
      () => Buffer.alloc(65, 31).toString('base64'),
      () => Buffer.alloc(65, 255).toString('base64'),
    ];
    for (const forge of forgeries) {
      const { body, signed } = await challenge(wallet);
      const forged = await app.post('/api/v2/sign-in', { ...signed, signature: forge(body.message) });
      expect([forged.status, forged.body.error.code]).toEqual([401, 'invalid-signature']);
      expect((await app.post('/api/v2/sign-in', signed)).body.error.code).toBe('invalid-challenge');
    }
  });

  it('binds a challenge to its key and its purpose', async () => {
    const wallet = createTestWallet();
    const other = createTestWallet();
    const signIn = await challenge(wallet);
    const registering = await challenge(wallet, 'purposes');
    const otherKey = { ...signIn.signed, publicKey: other.publicKey, signature: other.sign(signIn.body.message) };
    for (const [path, body] of [
      ['/api/v2/users', signIn.signed],
      ['/api/v2/sign-in', registering.signed],
      ['/api/v2/sign-in', otherKey],
    ] as const) {
      const answer = await app.post(path, body);
      expect([answer.status, answer.body.error.code]).toEqual([401, 'invalid-challenge']);
    }
    expect((await app.post('/api/v2/users', registering.signed)).status).toBe(201);
  });

  it('rejects a challenge after five minutes', async () => {
    const wallet = createTestWallet();
    await register(app, wallet, 'expiry');
    const [late, inTime] = [await challenge(wallet), await challenge(wallet)];
    app.clock.ms += 299_999;
    expect((await app.post('/api/v2/sign-in', inTime.signed)).status).toBe(200);
    app.clock.ms += 1;
    expect((await app.post('/api/v2/sign-in', late.signed)).body.error.code).toBe('invalid-challenge');
  });

  it('gives a challenge that any wallet may sign once to a page that doesn’t know the key', async () => {
    const asked = await app.post(CHALLENGES, {});
    expect([asked.status, openChallengeResponse.parse(asked.body)]).toEqual([201, asked.body]);
    const wallet = createTestWallet();
    const origin = 'https://pay.example.com';
    const signed = async (register?: Registration, changes: Partial<SignInFields> = {}, signer = wallet) => {
      const { nonce, issuedAt, expiresAt } = (await app.post(CHALLENGES, {})).body;
      const message = signInMessage({
        origin,
        publicKey: wallet.publicKey,
        register,
        nonce,
        issuedAt,
        expiresAt,
        ...changes,
      });
      return { publicKey: wallet.publicKey, nonce, signature: signer.sign(message), ...(register && { register }) };
    };
    const codeOf = async (path: string, body: unknown) => (await app.post(path, body)).body.error?.code;
    const account = wallet.registration('from-a-page');

    // The signed message contains the origin, the purpose and the whole account. Changing any of them invalidates it.
    expect(await codeOf('/api/v2/users', await signed(account, { origin: 'https://evil.example' }))).toBe(
      'invalid-signature',
    );
    expect(
      await codeOf('/api/v2/users', { ...(await signed(account)), register: { ...account, handle: 'another' } }),
    ).toBe('invalid-signature');
    expect(await codeOf('/api/v2/users', { ...(await signed()), register: account })).toBe('invalid-signature');
    expect(await codeOf('/api/v2/users', await signed(account, {}, createTestWallet()))).toBe('invalid-signature');
    expect(await codeOf('/api/v2/users', await signed())).toBe('invalid-challenge');
    expect(await codeOf('/api/v2/users', await signed({ ...account, handle: 'admin' }))).toBe('handle-taken');
    expect(await codeOf('/api/v2/users', await signed({ ...account, handle: 'No Handle' }))).toBe('invalid-handle');

    const registering = await signed(account);
    const created = await app.post('/api/v2/users', registering, { Origin: origin });
    expect([created.status, created.body.user.handle]).toEqual([201, 'from-a-page']);
    expect(created.headers.get('set-cookie')).toMatch(/^__Host-session=/);
    expect(await codeOf('/api/v2/users', registering)).toBe('invalid-challenge');

    expect(await codeOf('/api/v2/sign-in', await signed(undefined, { origin: 'https://evil.example' }))).toBe(
      'invalid-signature',
    );
    const signingIn = await signed();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => app.post('/api/v2/sign-in', signingIn, { Origin: origin })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(7).fill(401)]);
    expect(answers.find((answer) => answer.status === 200)?.headers.get('set-cookie')).toMatch(/^__Host-session=/);

    const late = await signed();
    app.clock.ms += 300_000;
    expect(await codeOf('/api/v2/sign-in', late)).toBe('invalid-challenge');
  });

  it('rejects a registration that differs from the challenge', async () => {
    const wallet = createTestWallet();
    const { signed } = await challenge(wallet, 'named-before');
    const answer = await app.post('/api/v2/users', { ...signed, register: wallet.registration('named-before') });
    expect([answer.status, answer.body.error.code]).toEqual([401, 'invalid-challenge']);
  });

  it('rejects a token after an hour, with an explanation', async () => {
    const session = await register(app, createTestWallet(), 'hour');
    const path = '/api/v2/payments/3f0f1d1c-0000-4000-8000-000000000000';
    expect((await app.get(path, bearer(session))).status).toBe(404);
    expect((await app.get(path, { Authorization: `bearer ${session.accessToken}` })).status).toBe(404);
    const none = await app.get(path);
    expect([none.status, none.body.error.code, none.headers.get('www-authenticate')]).toEqual([
      401,
      'unauthenticated',
      'Bearer',
    ]);
    const malformed = await app.get(path, { Authorization: 'Bearer a b' });
    expect([malformed.status, malformed.body.error.code]).toEqual([400, 'invalid-request']);
    app.clock.ms += 3_600_000;
    const over = await app.get(path, bearer(session));
    expect([over.status, over.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
  });

  it('sets a cookie only for the service’s own pages, and rejects it as a bearer token', async () => {
    const wallet = createTestWallet();
    await register(app, wallet, 'cookies');
    const own = await app.post('/api/v2/sign-in', (await challenge(wallet)).signed, {
      Origin: 'https://pay.example.com',
    });
    const cookie = own.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^__Host-session=session_[A-Za-z0-9_-]{43}; /);
    expect(cookie.split('; ').slice(1)).toEqual(
      expect.arrayContaining(['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']),
    );
    expect(cookie).not.toContain('Domain');
    for (const origin of [
      'chrome-extension://abcdefghijklmnop',
      'https://pay.example.com.evil.example',
      'null',
      'http://pay.example.com',
    ]) {
      expect(
        (await app.post('/api/v2/sign-in', (await challenge(wallet)).signed, { Origin: origin })).headers.get(
          'set-cookie',
        ),
      ).toBeNull();
    }
    const token = /session_[A-Za-z0-9_-]+/.exec(cookie)?.[0] ?? '';
    expect((await app.get('/api/v2/payments/x', { Authorization: `Bearer ${token}` })).status).toBe(401);
  });

  it('reports whether a handle is free', async () => {
    await register(app, createTestWallet(), 'occupied');
    const states = await Promise.all(
      ['occupied', 'free-one', 'root', 'Upper', 'ab', 'a..b', 'a%00b'].map((h) => app.get(`/api/v2/handles/${h}`)),
    );
    expect(states.map((s) => s.body.available ?? s.body.error.code)).toEqual([
      false,
      true,
      false,
      ...Array(4).fill('invalid-handle'),
    ]);
    expect(states[0]?.headers.get('access-control-allow-origin')).toBe('*');
    expect(states[0]?.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('refuses malformed requests', async () => {
    const wallet = createTestWallet();
    const good = { publicKey: wallet.publicKey, register: wallet.registration('malformed') };
    const xprv =
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';
    const cases: [unknown, string][] = [
      ['{"publicKey": ', 'invalid-request'],
      ['[]', 'invalid-request'],
      [{ register: good.register }, 'invalid-request'],
      [{ ...good, more: 1 }, 'invalid-request'],
      [`{"publicKey": "${wallet.publicKey}", "__proto__": {"register": 1}}`, 'invalid-request'],
      [{ publicKey: `04${wallet.publicKey.slice(2)}` }, 'invalid-request'],
      [{ ...good, register: { ...good.register, handle: 'No Handle' } }, 'invalid-handle'],
      [{ ...good, register: { ...good.register, name: 'line\nbreak' } }, 'invalid-request'],
      [{ ...good, register: { ...good.register, name: 'over\u202Eride' } }, 'invalid-request'],
      [{ ...good, register: { ...good.register, name: '\ud800' } }, 'invalid-request'],
      [{ ...good, register: { ...good.register, receivingXpub: xprv } }, 'invalid-request'],
      [
        {
          ...good,
          register: {
            ...good.register,
            receivingXpub: wallet.receivingXpub.replace(/.$/, (c) => (c === 'a' ? 'b' : 'a')),
          },
        },
        'invalid-request',
      ],
    ];
    for (const [body, code] of cases) {
      const answer = await app.post(CHALLENGES, body);
      expect([answer.status, answer.body.error?.code], JSON.stringify(body)).toEqual([400, code]);
    }
    expect((await app.post(CHALLENGES, good, { 'Content-Type': 'text/plain' })).status).toBe(400);
    const large = await app.post(CHALLENGES, { ...good, more: 'x'.repeat(110_000) });
    expect([large.status, large.body.error.code]).toEqual([413, 'too-large']);
  });

  it('logs no nonce, signature, token, name or body', async () => {
    const wallet = createTestWallet();
    const { nonce, signature } = (await challenge(wallet, 'logged')).signed;
    const created = await app.post(
      '/api/v2/users?secret=in-query',
      { publicKey: wallet.publicKey, nonce, signature },
      { Cookie: 'session=crumbs' },
    );
    await app.post('/api/v2/sign-in', `{"signature": "unterminated-body`);
    await app.get('/api/v2/payments/x', bearer(created.body));
    const log = app.log();
    expect(log).toContain('/api/v2/users');
    for (const secret of [
      nonce,
      signature,
      created.body.accessToken,
      'in-query',
      'crumbs',
      'unterminated-body',
      'A Name',
    ])
      expect(log).not.toContain(secret);
  });
});
