/**
 * Sites without permissions: no response depends on the keys, the lock state or the wallet's contents, and nothing is
 * stored. Two wallets with different recovery words get the same requests: one locked and used, the other unlocked and
 * empty.
 */
import { describe, expect, test } from 'vitest';
import { call, output } from '../../testkit/wallet/applications.ts';
import { holdTime, timeToRead } from '../../testkit/wallet/clock.ts';
import { approvalOf, approve, decline, openWallet, PASSWORD } from '../../testkit/wallet/wallet.ts';
import { network, dump, usedWallet } from './testing-strangers.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const STRANGER = { origin: 'https://stranger.example', isPermitted: false, userActivation: 'none' } as const;

describe('a site without permissions', () => {
  test("many actions with inputs of their own leave only records of the prompt and the site, and nothing in the user's activity", async () => {
    const { run, known } = await usedWallet();
    const action = (n: number) => ({
      description: `WALLET SECURITY NOTICE ${n}`,
      inputs: [{ outpoint: known.outpoints[0], inputDescription: 'an input', unlockingScript: '51' }],
      inputBEEF: known.beef,
      outputs: [output(1, '00'.repeat(n === 0 ? 1_900_000 : 50_000))],
      options: { noSend: true, randomizeOutputs: false },
    });
    const flood = Array.from({ length: 20 }, (_, n) => call(run, 'createAction', action(n), STRANGER));
    const id = await approvalOf(run);
    expect(await run.modules.decide.viewPrompt(wallet, id)).toMatchObject({
      kind: 'permission',
      permission: { kind: 'connect' },
    });
    holdTime(); // stops the request limit's refill, so a rejected site must wait
    await decline(run, id);
    for (const answer of await Promise.all(flood))
      expect((answer as { reason?: string }).reason).toMatch(/^(permission-refused|too-many-requests)$/);
    const kept = [...(await dump(run))].filter(([, row]) => /stranger\.example|SECURITY NOTICE/.test(row));
    expect([...new Set(kept.map(([name]) => name.split(' ')[0]))].toSorted()).toEqual(['prompts', 'sites']);
    expect(run.profile.browser.windowsOpened).toBe(1);
  });

  test('a site gets no identifying key, signature or lock state before it is connected, or after it is disconnected', async () => {
    const run = await openWallet(network, []);
    const key = { protocolID: [0, 'tests of strangers'], keyID: '1', counterparty: 'anyone', seekPermission: false };
    const attacks = async () => [
      await call(run, 'getPublicKey', { ...key, forSelf: true }, STRANGER),
      await call(
        run,
        'createSignature',
        { ...key, data: [...new TextEncoder().encode('I owe the bearer 1000 BSV.')] },
        STRANGER,
      ),
      await call(run, 'listActions', { labels: [], seekPermission: false }, STRANGER),
      await call(run, 'isAuthenticated', {}, STRANGER),
    ];
    const refused = expect.objectContaining({ reason: 'permission-refused' }) as object;
    const nothing = [refused, refused, refused, { authenticated: false }];
    expect(await attacks()).toEqual(nothing);
    const connected = call(run, 'waitForAuthentication', {}, STRANGER);
    const id = await approvalOf(run);
    await run.modules.decide.viewPrompt(wallet, id);
    await timeToRead();
    await approve(run, id, { decision: 'permit' });
    expect(await connected).toEqual({ authenticated: true });
    expect(await attacks()).toEqual([
      { publicKey: expect.any(String) as string },
      { signature: expect.any(Array) as number[] },
      { totalActions: 0, actions: [] },
      { authenticated: true },
    ]);
    await run.modules.vault.lock(wallet);
    expect(await call(run, 'isAuthenticated', {}, STRANGER)).toEqual({ authenticated: false });
    await run.modules.vault.unlock(wallet, PASSWORD);
    await run.modules.permissionStore.revokePermission(wallet, STRANGER.origin, 'connect');
    expect(await attacks()).toEqual(nothing);
    expect(run.profile.browser.windowsOpened).toBe(1);
  });

  test('a frame in another site opens no prompt, at any level', async () => {
    const run = await openWallet(network, []);
    const embedded = { ...STRANGER, userActivation: 'embedded' } as const;
    const refused = { reason: 'permission-refused' };
    for (const level of [0, 1, 2])
      expect(
        await call(run, 'getPublicKey', { protocolID: [level, 'tests of strangers'], keyID: '1' }, embedded),
      ).toMatchObject(refused);
    expect(await call(run, 'getPublicKey', { identityKey: true }, embedded)).toMatchObject(refused);
    expect(await call(run, 'listOutputs', { basket: 'things' }, embedded)).toMatchObject(refused);
    expect(await call(run, 'waitForAuthentication', {}, embedded)).toMatchObject(refused);
    expect(run.profile.browser.windowsOpened).toBe(0);
  });
});
