/** For tests: token mints that no ledger would accept, because their inputs don't exist. */
import { randomBytes } from 'node:crypto';
import { BSM, PrivateKey, Utils } from '@bsv/sdk';
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { mintMessage, type MintReport } from '../../protocol/assets/assets.ts';
import { writeTokenScript, type Token } from '../../protocol/assets/bsv21/token.ts';
import { concatBytes, fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { pushData } from '../../protocol/bitcoin/push-data.ts';

export interface MintOptions {
  token?: Token;
  satoshis?: bigint;
  script?: (script: Uint8Array) => Uint8Array;
  signer?: PrivateKey;
  version?: number;
}

/** Creates a mint report and its transaction ID. @param publicKey the identity key of the asset's owner, hex */
export function createTestMint(
  { id, initialSupply, decimals }: { id: string; initialSupply: string; decimals: number },
  publicKey: string,
  { token, satoshis = 1n, script = (same) => same, signer, version = 1 }: MintOptions = {},
): { txid: string; report: MintReport; key: PrivateKey } {
  const key = PrivateKey.fromRandom();
  const lock = p2pkhScript(Uint8Array.from(randomBytes(20)));
  const minted = token ?? { op: 'deploy+mint', amt: BigInt(initialSupply), dec: decimals, sym: 'GARDEN' };
  const unlockingScript = concatBytes(
    pushData(Uint8Array.of(0x30, 0x44, ...randomBytes(68), 0x41)),
    pushData(fromHex(key.toPublicKey().toString())),
  );
  const bytes = serializeTransaction({
    version,
    inputs: [{ txid: randomBytes(32).toString('hex'), vout: 0, unlockingScript, sequence: 0xffff_ffff }],
    outputs: [
      { satoshis: 5_000n, lockingScript: lock },
      { satoshis, lockingScript: script(writeTokenScript(minted, lock)) },
    ],
    lockTime: 0,
  });
  const txid = txidOf(bytes);
  const message = Utils.toArray(mintMessage(id, txid, publicKey), 'utf8');
  const inputProof = BSM.sign(message, signer ?? key, 'base64') as string;
  return { txid, key, report: { tokenId: `${txid}_1`, rawtx: toHex(bytes), inputProof } };
}
