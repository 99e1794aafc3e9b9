/** A third party alters a mint (version 2) before it is mined, so that the first unlocking script ends with its key. */
import { BSM, PrivateKey, Utils } from '@bsv/sdk';
import { expect, it } from 'vitest';
import { mintMessage } from '../../protocol/assets/assets.ts';
import { concatBytes, fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { parseTransactionHex, serializeTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { codeOf } from '../../testing/code-of.ts';
import { createTestWallet } from '../testing.ts';
import { checkMint } from './check-mint.ts';
import { createTestMint } from './testing-mint.ts';

it('a mint whose unlocking script a third party has altered isn’t that party’s mint', async () => {
  const [owner, thief] = [createTestWallet(), createTestWallet()];
  const asset = { id: '11111111-1111-4111-8111-111111111111', initialSupply: '1000', decimals: 2 };
  const { report } = createTestMint(asset, owner.publicKey, { version: 2 });
  let key = PrivateKey.fromRandom();
  while (!key.toPublicKey().toString().endsWith('75')) key = PrivateKey.fromRandom();
  const read = parseTransactionHex(report.rawtx);
  const added = fromHex(`20${key.toPublicKey().toString().slice(0, 64)}75`); // a push, and OP_DROP
  const inputs = read.inputs.map((input) => ({ ...input, unlockingScript: concatBytes(input.unlockingScript, added) }));
  const bytes = serializeTransaction({ ...read, inputs });
  const txid = txidOf(bytes);
  const own = { id: '22222222-2222-4222-8222-222222222222', supply: 1000n, decimals: 2 };
  const inputProof = BSM.sign(
    Utils.toArray(mintMessage(own.id, txid, thief.publicKey), 'utf8'),
    key,
    'base64',
  ) as string;
  const claimed = Promise.resolve().then(() =>
    checkMint(own, { tokenId: `${txid}_1`, rawtx: toHex(bytes), inputProof }, thief.publicKey),
  );
  expect(await codeOf(claimed)).toBe('asset-mismatch');
});
