import { createDecipheriv, hkdfSync } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { START, useVault } from '../../testkit/wallet/vault.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const run = useVault();
const SEED = Uint8Array.from({ length: 64 }, (_, i) => i + 1);

/** Must not change, because restoring users' logs from their recovery words depends on it. */
const derived = (info: string, bytes: number) => Buffer.from(hkdfSync('sha256', SEED, '', info, bytes));

describe('the key of the log of applications’ data', () => {
  test('the log’s key is HKDF of the seed, and cannot be exported', async () => {
    const { key, id } = await run.appLogKey.appLogKeyOf(SEED);
    expect(id).toBe(derived('service-button app log id 1', 8).toString('hex'));
    expect(key).toMatchObject({ extractable: false, algorithm: { name: 'AES-GCM', length: 256 } });
    const iv = new Uint8Array(12);
    const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, Buffer.from('an entry')));
    expect(Buffer.from(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed)).toString()).toBe('an entry');
    const decipher = createDecipheriv('aes-256-gcm', derived('service-button app log key 1', 32), iv);
    decipher.setAuthTag(sealed.subarray(-16));
    expect(decipher.update(sealed.subarray(0, -16)).toString() + decipher.final().toString()).toBe('an entry');
  });

  test('no exportable part of the seed is kept', async () => {
    const imported = vi.spyOn(crypto.subtle, 'importKey');
    await run.appLogKey.appLogKeyOf(SEED);
    for (const { value } of imported.mock.results) expect(((await value) as CryptoKey).extractable).toBe(false);
  });

  test('the log’s key is available only while the wallet is unlocked', async () => {
    expect(await codeOf(run.appLogKey.appLogKey(wallet))).toBe('wallet-locked');
    await run.session.storeSeed(wallet, SEED, START + 1000);
    expect((await run.appLogKey.appLogKey(wallet)).id).toBe((await run.appLogKey.appLogKeyOf(SEED)).id);
    await run.session.deleteSeed(wallet);
    expect(await codeOf(run.appLogKey.appLogKey(wallet))).toBe('wallet-locked');
  });
});
