/** A site's manifest: its parsing, the single window, and permissions that the user deselects. */
import { describe, expect, test, vi } from 'vitest';
import type { Permission } from '../../../protocol/messages/permission.ts';
import { answering, type FakeResponse, type RecordedRequest } from '../../../testkit/network/answers.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { approvalOf, approvals, approve, decline, openWallet } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import type * as Reader from './manifest.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';
import { timeToRead } from '../../../testkit/wallet/clock.ts';

const network = useNetwork();

const ORIGIN = 'https://app.example';
const BOB = `02${'ab'.repeat(32)}`;
const notes: Permission = { kind: 'protocol', level: 1, protocol: 'secret notes', counterparty: null };
const withBob: Permission = { kind: 'protocol', level: 2, protocol: 'secret notes', counterparty: BOB };
const connect: Permission = { kind: 'connect' };
const basket: Permission = { kind: 'basket', basket: 'notes' };
const GROUP = {
  spendingAuthorization: { amount: 2_000_000, description: 'Fees' },
  protocolPermissions: [
    { protocolID: [1, 'secret notes'], description: 'To read your notes' },
    { protocolID: [2, 'Secret Notes '], counterparty: BOB.toUpperCase().replace('02', '02'), description: 7 },
  ],
  basketAccess: [{ basket: 'Notes', description: 'To keep them' }],
  certificateAccess: [{ type: 'x', verifierPublicKey: BOB, fields: [] }],
};
const manifest = (group: unknown, namespace = 'metanet') =>
  JSON.stringify({ name: 'Notes', [namespace]: { groupPermissions: group } });

/** Starts a wallet, and a site that serves the given manifest. */
async function wallet(
  answer: FakeResponse | ((asked: RecordedRequest) => FakeResponse),
): Promise<{ workerRun: WorkerRun; asked: RecordedRequest[] }> {
  const workerRun = await openWallet(network, []);
  const { url, asked } = await answering(answer);
  workerRun.profile.hosts.set(ORIGIN, url);
  return { workerRun, asked };
}

let calls = 0;
const need = (
  workerRun: WorkerRun,
  permission: Permission,
  userActivation: 'new' | 'none' = 'new',
  message = `call-${(calls += 1)}`,
) =>
  workerRun.modules.permissions
    .requirePermission(current, permission, { origin: ORIGIN, message, client: {}, userActivation })
    .then(
      () => 'given',
      (error: { code?: string }) => error.code ?? String(error),
    );

async function decide(workerRun: WorkerRun, yes: Parameters<typeof approve>[2] | null): Promise<unknown> {
  const id = await approvalOf(workerRun);
  const shown = await workerRun.modules.decide.viewPrompt(current, id);
  if (yes === null) await decline(workerRun, id);
  else {
    await timeToRead();
    await approve(workerRun, id, { decision: 'permit', ...yes });
  }
  // The next prompt's window may already be open, so only this window is closed.
  for (const one of approvals(workerRun)) if (one.id === id) workerRun.profile.browser.closeWindow(one.windowId);
  return shown;
}
const opened = (workerRun: WorkerRun) => workerRun.profile.browser.windowsOpened;
const stored = async (workerRun: WorkerRun) =>
  (await (await workerRun.modules.database.database(current)).getAll('permissions')).map(
    ({ permission }) => permission,
  );

describe('the contents of a manifest', () => {
  const read = async (text: string) => {
    return (await vi.importActual<typeof Reader>('./manifest.ts')).readManifest(text);
  };

  test('a manifest is parsed in either namespace, and its entries are trimmed, lowercased and deduplicated', async () => {
    const whole = await read(manifest({ ...GROUP, basketAccess: [...GROUP.basketAccess, { basket: ' notes' }] }));
    expect(whole).toMatchObject({ monthly: '2000000', certificates: true });
    expect(whole?.wanted).toEqual([
      { permission: notes, said: 'To read your notes' },
      { permission: withBob, said: null },
      { permission: basket, said: null },
    ]);
    const older = await read(manifest(GROUP, 'babbage'));
    expect(older?.wanted.map(({ permission }) => permission)).toEqual([notes, withBob, basket]);
    expect(older?.hash).not.toBe(whole?.hash);
    expect((await read(manifest(GROUP)))?.hash).toBe(older?.hash);
  });

  test.each<[string, unknown]>([
    ['no JSON', undefined],
    ['null', null],
    ['a text', 'text'],
    ['no groups', {}],
    ['a list', [GROUP]],
    ['invalid lists', { protocolPermissions: 'x', basketAccess: { length: 9 } }],
    [
      'names that are reserved',
      {
        protocolPermissions: [{ protocolID: [1, 'admin keys'] }],
        basketAccess: [{ basket: 'DEFAULT' }, { basket: 'p x' }],
      },
    ],
    [
      'levels and names that there are not',
      {
        protocolPermissions: [
          { protocolID: [0, 'secret notes'] },
          { protocolID: [3, 'secret notes'] },
          { protocolID: [1, 'a-b-c-d'] },
          { protocolID: [1, 'shrt'] },
          { protocolID: [1, 'my protocol'] },
          null,
          7,
        ],
      },
    ],
    [
      'no or a wrong counterparty',
      {
        protocolPermissions: [
          { protocolID: [2, 'secret notes'] },
          { protocolID: [2, 'secret notes'], counterparty: '' },
          { protocolID: [2, 'secret notes'], counterparty: '04'.repeat(33) },
        ],
      },
    ],
    ['invalid amounts', { spendingAuthorization: { amount: '5' } }],
    ['an amount of nothing', { spendingAuthorization: { amount: 0 } }],
    ['an amount that there is not', { spendingAuthorization: { amount: 1e300 } }],
    ['certificates alone', { certificateAccess: [{}] }],
    ['a name without end', { basketAccess: [{ basket: 'x'.repeat(2000) }, { basket: '\ud800' }] }],
  ])('a manifest is ignored if it has %s', async (_, group) => {
    expect(await read(group === undefined ? '{' : manifest(group))).toBeNull();
  });

  test("the number of entries and the length of the site's reasons are limited", async () => {
    const many = Array.from({ length: 5000 }, (_, n) => ({ basket: `basket ${n}`, description: 'x'.repeat(5000) }));
    const whole = await read(manifest({ basketAccess: many }));
    expect(whole?.wanted).toHaveLength(50);
    expect(whole?.wanted[0]?.said).toHaveLength(200);
    expect(await read(`{"metanet":${'['.repeat(30_000)}`)).toBeNull();
  });
});

describe('a site whose manifest names several permissions', () => {
  test('one window requests all permissions, and unchecked ones are rejected as in a separate prompt', async () => {
    const { workerRun, asked } = await wallet({ body: manifest(GROUP) });
    const answers = [need(workerRun, notes), need(workerRun, withBob, 'none'), need(workerRun, basket, 'none')];
    expect(await decide(workerRun, { permitted: [0, 2] })).toMatchObject({
      kind: 'permission-group',
      wanted: [
        { permission: notes, said: 'To read your notes' },
        { permission: withBob, said: null },
        { permission: basket, said: 'To keep them' },
        { permission: connect, said: null },
      ],
      suggested: { amount: '0.02', currency: 'BSV' },
      current: null,
      certificates: true,
    });
    expect(await Promise.all(answers)).toEqual(['given', 'permission-refused', 'given']);
    expect(await stored(workerRun)).toEqual([basket, connect, notes]);
    expect(await need(workerRun, withBob, 'none')).toBe('permission-refused');
    expect(opened(workerRun)).toBe(1);
    // A new user gesture requests only this permission, because the user has already decided on the manifest.
    const again = need(workerRun, withBob);
    expect(await decide(workerRun, {})).toMatchObject({ kind: 'permission', permission: withBob });
    expect(await again).toBe('given');
    expect(asked.map(({ method, url, headers }) => [method, url, headers.cookie])).toEqual([
      ['GET', '/manifest.json', undefined],
    ]);
  });

  test('the window connects the site even if every permission is unchecked, or only the connection was needed', async () => {
    const { workerRun } = await wallet({ body: manifest(GROUP) });
    const answer = need(workerRun, connect);
    expect(await decide(workerRun, { permitted: [] })).toMatchObject({
      kind: 'permission-group',
      wanted: [{ permission: notes }, { permission: withBob }, { permission: basket }, { permission: connect }],
    });
    expect(await answer).toBe('given');
    expect(await stored(workerRun)).toEqual([connect]);
    expect(await need(workerRun, notes, 'none')).toBe('permission-refused');
    expect(opened(workerRun)).toBe(1);
  });

  test("a permission that the manifest doesn't name is requested separately", async () => {
    const { workerRun } = await wallet({ body: manifest({ protocolPermissions: [GROUP.protocolPermissions[0]] }) });
    for (const permission of [basket, notes]) {
      const answer = need(workerRun, permission);
      expect(await decide(workerRun, {})).toMatchObject({ kind: 'permission', permission });
      expect(await answer).toBe('given');
    }
  });

  test('the site gets the allowance that the user sets, but only if its manifest suggested one', async () => {
    const { workerRun } = await wallet({ body: manifest(GROUP) });
    const terms = { limit: 1_000_000n, currency: 'BSV', period: 'month', perPayment: null, ceiling: null } as const;
    const answer = need(workerRun, notes);
    await decide(workerRun, { permitted: [0], terms });
    expect(await answer).toBe('given');
    expect(await (await workerRun.modules.database.database(current)).getAll('allowances')).toMatchObject([
      { origin: ORIGIN, clientIdentifier: '', kind: 'automatic', limit: 1_000_000n, period: 'month' },
    ]);
    const other = await wallet({ body: manifest({ ...GROUP, spendingAuthorization: undefined }) });
    await other.workerRun.modules.database.inTransaction(current, (tx) =>
      other.workerRun.modules.permissionStore.grantPermissions(current, tx, ORIGIN, [connect]),
    );
    void need(other.workerRun, notes);
    const id = await approvalOf(other.workerRun);
    await other.workerRun.modules.decide.viewPrompt(current, id);
    await timeToRead();
    const bad = [{ permitted: [0], terms }, { permitted: [] }, { permitted: [0, 3] }, {}];
    for (const yes of bad)
      await expect(approve(other.workerRun, id, { decision: 'permit', ...yes })).rejects.toMatchObject({
        code: 'invalid-request',
      });
    expect(await stored(other.workerRun)).toEqual([connect]);
  });

  test("a rejected manifest isn't shown again, as a group or separately, until there is a user gesture", async () => {
    const { workerRun } = await wallet({ body: manifest(GROUP) });
    const answers = [need(workerRun, notes), need(workerRun, basket, 'none')];
    await decide(workerRun, null);
    expect(await Promise.all(answers)).toEqual(['permission-refused', 'permission-refused']);
    for (const permission of [notes, withBob, basket])
      expect(await need(workerRun, permission, 'none')).toBe('permission-refused');
    void need(workerRun, notes);
    expect(await workerRun.modules.decide.viewPrompt(current, await approvalOf(workerRun))).toMatchObject({
      kind: 'permission',
    });
    expect(opened(workerRun)).toBe(2);
  });

  test('the window opens again for the missing permissions of a changed manifest, and after all permissions were revoked', async () => {
    let group: object = GROUP;
    const { workerRun } = await wallet(({ url }: RecordedRequest) => ({
      body: url === '/manifest.json' ? manifest(group) : '',
    }));
    let answer = need(workerRun, notes);
    await decide(workerRun, { permitted: [0, 1, 2] });
    await answer;
    group = { ...GROUP, basketAccess: [{ basket: 'notes' }, { basket: 'letters' }, { basket: 'photos' }] };
    const next = await workerRun.profile.start(); // clears the cached manifest
    answer = need(next, { kind: 'basket', basket: 'letters' });
    expect(await decide(next, { permitted: [0] })).toMatchObject({
      kind: 'permission-group',
      wanted: [{ permission: { basket: 'letters' } }, { permission: { basket: 'photos' } }],
    });
    expect(await answer).toBe('given');
    await next.modules.permissionStore.revokePermissions(current, ORIGIN);
    void need(next, notes);
    expect(await next.modules.decide.viewPrompt(current, await approvalOf(next))).toMatchObject({
      kind: 'permission-group',
    });
  });

  test('the window stays if the worker is stopped and the manifest is gone', async () => {
    let body = manifest(GROUP);
    const { workerRun } = await wallet(({ url }: RecordedRequest) => ({ body: url === '/manifest.json' ? body : '' }));
    void need(workerRun, notes, 'new', 'first');
    await approvalOf(workerRun);
    await vi.waitFor(async () =>
      expect((await workerRun.modules.promptStore.openPrompts(current))[0]?.window.windowId).toEqual(
        expect.any(Number),
      ),
    );
    body = 'gone';
    const next = await workerRun.profile.start();
    const answers = [need(next, basket, 'none', 'second'), need(next, notes, 'new', 'first')];
    await decide(next, { permitted: [0, 2] });
    expect(await Promise.all(answers)).toEqual(['given', 'given']);
    expect(opened(next)).toBe(1);
  });

  test.each<[string, FakeResponse]>([
    ['a redirect', { status: 302, headers: { location: 'https://other.example/manifest.json' } }],
    ['an error', { status: 404, body: manifest(GROUP) }],
    ['too much', { body: manifest({ ...GROUP, more: 'x'.repeat(70_000) }) }],
    ['no JSON', { body: '<html>' }],
    ['nothing', (_, response) => void response.destroy()],
  ])(
    'each permission is requested separately if the server responds with %s, and the manifest is fetched once',
    async (_, answer) => {
      const { workerRun, asked } = await wallet(answer);
      for (const permission of [notes, basket]) {
        const given = need(workerRun, permission);
        expect(await decide(workerRun, {})).toMatchObject({ kind: 'permission' });
        expect(await given).toBe('given');
      }
      expect(asked).toHaveLength(1);
    },
  );
});

describe('protocols that a site uses with every counterparty', () => {
  const CAROL = `03${'cd'.repeat(32)}`;
  const peer = (protocol: string, counterparty: string): Permission => ({
    kind: 'protocol',
    level: 2,
    protocol,
    counterparty,
  });
  const site = JSON.stringify({
    metanet: {
      counterpartyPermissions: {
        protocols: [
          { protocolName: 'Peer Messaging', description: 'To write to each other' },
          { protocolID: [2, 'peer presence'] },
          { protocolID: [1, 'of level one'] },
          { protocolName: 'admin things' },
          { protocolName: 'no' },
          'peer text',
        ],
      },
    },
  });

  test('one window requests all protocols of a counterparty, each once, and unchecked ones are rejected', async () => {
    const { workerRun } = await wallet({ body: site });
    const given = need(workerRun, peer('peer presence', BOB));
    expect(await decide(workerRun, { permitted: [1] })).toMatchObject({
      kind: 'permission-group',
      suggested: null,
      certificates: false,
      wanted: [
        { permission: peer('peer messaging', BOB), said: 'To write to each other' },
        { permission: peer('peer presence', BOB), said: null },
        { permission: connect, said: null },
      ],
    });
    expect(await given).toBe('given');
    expect(await need(workerRun, peer('peer messaging', BOB), 'none')).toBe('permission-refused');
    expect(opened(workerRun)).toBe(1);
    const other = need(workerRun, peer('peer messaging', CAROL));
    expect(await decide(workerRun, { permitted: [0, 1] })).toMatchObject({ kind: 'permission-group' });
    expect(await other).toBe('given');
    expect(await need(workerRun, peer('peer presence', CAROL), 'none')).toBe('given');
    expect(await stored(workerRun)).toEqual(
      expect.arrayContaining([peer('peer presence', BOB), peer('peer messaging', CAROL), peer('peer presence', CAROL)]),
    );
    expect(opened(workerRun)).toBe(2);
    // The prompt for the manifest was never shown.
    expect(await (await workerRun.modules.database.database(current)).getAll('manifests')).toEqual([]);
  });

  test('a protocol is requested separately if the counterparty is the user, or if the manifest doesn’t list it at level 2', async () => {
    const { workerRun } = await wallet({ body: site });
    for (const permission of [
      peer('peer presence', 'self'),
      peer('of level one', BOB),
      peer('some other thing', BOB),
    ]) {
      const answer = need(workerRun, permission);
      expect(await decide(workerRun, {})).toMatchObject({ kind: 'permission', permission });
      expect(await answer).toBe('given');
    }
  });

  test('protocols that were all rejected stay rejected for that counterparty', async () => {
    const { workerRun } = await wallet({ body: site });
    const refused = need(workerRun, peer('peer presence', BOB));
    await decide(workerRun, null);
    expect(await refused).toBe('permission-refused');
    expect(await need(workerRun, peer('peer messaging', BOB), 'none')).toBe('permission-refused');
    expect(await stored(workerRun)).toEqual([]);
  });
});
