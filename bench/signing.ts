/**
 * Compares the CPU time to plan, sign and serialize a payment with 1,000 inputs to that of `sign` in `@bsv/sdk`, which
 * must produce the same bytes. Compares the time for the signatures to that of libsecp256k1, which full nodes use.
 */
import { P2PKH, PrivateKey, Transaction, Script } from '@bsv/sdk';
import type { Coin } from '../wallet/coins/coin.ts';
import { planTransaction } from '../wallet/transaction/plan.ts';
import { signTransaction } from '../wallet/transaction/sign.ts';
import { hash160, type KeyPair } from '../wallet/keys/keys.ts';
import { fromHex, toHex } from '../protocol/bitcoin/bytes.ts';
import { p2pkhScript } from '../protocol/bitcoin/address.ts';
import { sha256d } from '../protocol/bitcoin/transaction.ts';
import { signDigest } from '../wallet/keys/ecdsa.ts';
import { median, type Row } from './row.ts';

const INPUTS = 1000;

export async function signing(): Promise<Row[]> {
  const keys = Array.from({ length: 20 }, (_, i): KeyPair & { sdk: PrivateKey } => {
    const privateKey = Uint8Array.from(sha256d(new Uint8Array([i, 7])));
    const sdk = PrivateKey.fromHex(toHex(privateKey));
    return { privateKey, publicKey: fromHex(sdk.toPublicKey().toString()), sdk };
  });
  const scripts = keys.map((key) => p2pkhScript(hash160(key.publicKey)));
  const coins = Array.from({ length: INPUTS }, (_, i): Coin => {
    const txid = toHex(sha256d(new Uint8Array([i & 255, i >> 8])));
    return {
      outpoint: `${txid}:${i % 3}`,
      txid,
      vout: i % 3,
      satoshis: 1000n + BigInt(i),
      script: toHex(scripts[i % 20] as Uint8Array),
      chain: 'receive',
      index: i % 20,
      status: 'available',
      paymentId: null,
      height: 1,
      depth: 0,
      seen: true,
    };
  });
  const total = coins.reduce((sum, coin) => sum + coin.satoshis, 0n);
  // An amount that requires every coin.
  const outputs = [{ satoshis: total - 15_500n, lockingScript: scripts[0] as Uint8Array }];
  const rate = { satoshis: 100, bytes: 1000 };

  const ours = () => {
    const plan = planTransaction({
      outputs,
      inputs: coins,
      changeScripts: [scripts[1] as Uint8Array],
      rate,
      preserveOrder: false,
    });
    return { plan, signed: signTransaction(plan, (coin) => keys[coin.index] as KeyPair) };
  };
  const { plan, signed } = ours();
  if (plan.inputs.length !== INPUTS) throw new Error(`planned ${plan.inputs.length} inputs`);
  const oursMs = median(Array.from({ length: 5 }, () => cpuMs(ours)));

  const theirs: number[] = [];
  let theirHex = '';
  for (let run = 0; run < 3; run += 1) {
    const start = process.cpuUsage();
    const tx = new Transaction();
    for (const coin of plan.inputs) {
      const lockingScript = Script.fromHex(coin.script);
      tx.addInput({
        sourceTXID: coin.txid,
        sourceOutputIndex: coin.vout,
        sequence: 0xffffffff,
        unlockingScriptTemplate: new P2PKH().unlock(
          (keys[coin.index] as { sdk: PrivateKey }).sdk,
          'all',
          false,
          Number(coin.satoshis),
          lockingScript as never,
        ),
      });
    }
    for (const { satoshis, lockingScript } of plan.outputs) {
      tx.addOutput({ satoshis: Number(satoshis), lockingScript: Script.fromHex(toHex(lockingScript)) as never });
    }
    await tx.sign();
    theirHex = tx.toHex();
    theirs.push(msOf(process.cpuUsage(start)));
  }
  const theirsMs = median(theirs);
  if (theirHex !== toHex(signed.bytes)) throw new Error('the two transactions differ');
  return [
    {
      what: `${INPUTS} inputs planned, signed, serialized (bytes equal)`,
      measured: `${oursMs.toFixed(0)} ms, @bsv/sdk ${theirsMs.toFixed(0)} ms`,
      ratio: theirsMs / oursMs,
      goal: '≥ 8 times faster',
      holds: theirsMs / oursMs >= 8,
    },
    ...(await againstNative(
      coins.map((coin) => (keys[coin.index] as KeyPair).privateKey),
      ours,
    )),
  ];
}

/** Measures libsecp256k1. Returns no rows on platforms without a prebuilt binary. */
async function againstNative(privateKeys: readonly Uint8Array[], payment: () => unknown): Promise<Row[]> {
  const library = await import('secp256k1/bindings.js').catch(() => null);
  if (!library) {
    console.log(`There is no libsecp256k1 for ${process.platform}-${process.arch}: signing is not compared with it.`);
    return [];
  }
  const native = library.default;
  const requests = privateKeys.map((privateKey, i) => ({
    digest: sha256d(new Uint8Array([i & 255, i >> 8])),
    privateKey,
  }));
  const signatures = { ours: [] as Uint8Array[], native: [] as Uint8Array[] };
  const turns = Array.from({ length: 7 }, () => ({
    payment: cpuMs(payment),
    ours: cpuMs(() => {
      signatures.ours = requests.map(({ digest, privateKey }) => signDigest(digest, privateKey));
    }),
    native: cpuMs(() => {
      signatures.native = requests.map(({ digest, privateKey }) => native.ecdsaSign(digest, privateKey).signature);
    }),
  }));
  if (signatures.ours.map(toHex).join() !== signatures.native.map(toHex).join())
    throw new Error('libsecp256k1 signs otherwise');
  const medianOf = (what: 'payment' | 'ours' | 'native') => median(turns.map((turn) => turn[what]));
  const [paymentMs, manyMs, nativeMs] = [medianOf('payment'), medianOf('ours'), medianOf('native')];
  return [
    {
      what: `${INPUTS} signatures (bytes equal)`,
      measured: `${manyMs.toFixed(0)} ms, libsecp256k1 ${nativeMs.toFixed(0)} ms`,
      ratio: manyMs / nativeMs,
      goal: '≤ 8',
      holds: manyMs / nativeMs <= 8,
    },
    {
      what: `${INPUTS} inputs planned, signed, serialized, against only signing`,
      measured: `${paymentMs.toFixed(0)} ms, libsecp256k1 ${nativeMs.toFixed(0)} ms`,
      ratio: paymentMs / nativeMs,
      goal: '≤ 10',
      holds: paymentMs / nativeMs <= 10,
    },
  ];
}

const msOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

function cpuMs(work: () => void): number {
  const start = process.cpuUsage();
  work();
  return msOf(process.cpuUsage(start));
}
