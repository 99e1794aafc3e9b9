import { describe, expect, test } from 'vitest';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { codeOf } from '../../testing/code-of.ts';
import { START, useVault } from '../../testkit/wallet/vault.ts';
import { publicKeyOf, isSignedBy } from '../keys/ecdsa.ts';
import { identityKeyOf, publicKeysOf } from '../keys/keys.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const run = useVault();
const SEED = Uint8Array.from({ length: 64 }, (_, i) => i + 1);
const unlocked = () => run.session.storeSeed(wallet, SEED, START + 1000);
const isWiped = (key: Uint8Array | undefined) => key?.length === 32 && key.every((byte) => byte === 0);

describe('the identity key', () => {
  test('the identity key is unavailable while the wallet is locked', async () => {
    const use = () => expect.unreachable();
    expect(await codeOf(run.identity.withIdentityKey(wallet, use))).toBe('wallet-locked');
    expect(await codeOf(run.identity.signAsIdentity(wallet, 'text'))).toBe('wallet-locked');
    await unlocked();
    await run.session.deleteSeed(wallet);
    expect(await codeOf(run.identity.withIdentityKey(wallet, use))).toBe('wallet-locked');
  });

  test('one use at a time gets the identity key, which is wiped after its result', async () => {
    await unlocked();
    let lent: Uint8Array | undefined;
    const answer = await run.identity.withIdentityKey(wallet, async (key) => {
      lent = key;
      await new Promise((resolve) => setImmediate(resolve));
      return toHex(key);
    });
    expect(answer).toBe(toHex(identityKeyOf(SEED)));
    expect(isWiped(lent)).toBe(true);
  });

  test('the identity key is wiped if its use fails', async () => {
    await unlocked();
    let lent: Uint8Array | undefined;
    const failed = new Error('in use');
    const using = run.identity.withIdentityKey(wallet, (key) => {
      lent = key;
      throw failed;
    });
    expect(await codeOf(using)).toBe(failed);
    expect(isWiped(lent)).toBe(true);
  });

  test('texts in any script are signed with the public identity key', async () => {
    await unlocked();
    const publicKey = publicKeyOf(identityKeyOf(SEED));
    expect(toHex(publicKey)).toBe(publicKeysOf(SEED).identity);
    const signature = await run.identity.signAsIdentity(wallet, 'Grüße');
    expect(isSignedBy(publicKey, new TextEncoder().encode('Grüße'), signature)).toBe(true);
    expect(isSignedBy(publicKey, new TextEncoder().encode('Grüsse'), signature)).toBe(false);
  });
});
