/** Fuzzes merkle proofs and headers (TSC). For an accepted proof, Node's own hashes must produce the header's root. */
import { createHash } from 'node:crypto';
import { checkProof } from '../../wallet/chain/headers/proof.ts';
import { blockHeader, merkleProofs, type Header, type TscProof } from '../../wallet/chain/whats-on-chain.ts';
import { merkleRoot, mineHeader, proofOf } from '../../testkit/network/blocks.ts';
import { must, mustEqual, orRefusal, orRefusalOf, target, textOf } from '../target.ts';
import { answeredWith } from './testing-world.ts';
import { TXID } from './testing-seeds.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const encoder = new TextEncoder();
const bytesOf = (json: unknown) => encoder.encode(JSON.stringify(json));

function example(size: number, index: number): string {
  const txids = Array.from({ length: size }, (_, i) => (i === index ? TXID : i.toString(16).padStart(64, '0')));
  const header = mineHeader(merkleRoot(txids));
  return JSON.stringify({ header, proof: [proofOf(txids, index, header.hash)] });
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const reversed = (hex: string) => Buffer.from(hex, 'hex').reverse();

function rootOf({ txOrId, nodes, index }: TscProof): string {
  let hash = reversed(txOrId);
  for (const [level, node] of nodes.entries()) {
    const other = node === '*' ? hash : reversed(node);
    hash = sha256(
      sha256(Math.floor(index / 2 ** level) % 2 === 1 ? Buffer.concat([other, hash]) : Buffer.concat([hash, other])),
    );
  }
  return Buffer.from(hash).reverse().toString('hex');
}

async function read(input: Uint8Array): Promise<{ proof: TscProof; header: Header } | null> {
  const given = JSON.parse(textOf(input)) as { header?: unknown; proof?: unknown } | null;
  const [header, proofs] = [
    await answeredWith(bytesOf(given?.header ?? null), () => blockHeader(wallet, 'http://localhost', 1)),
    await answeredWith(bytesOf(given?.proof ?? null), () => merkleProofs(wallet, 'http://localhost', TXID)),
  ];
  const [proof] = proofs;
  if (!header || !proof) return null;
  checkProof(TXID, proof, header, 'devnet');
  return { proof, header };
}

export default target({
  form: 'json',
  seeds: () => [example(1, 0), example(2, 1), example(5, 4), example(7, 2)],
  read: (input) =>
    orRefusal([], () => isJson(input))
      ? orRefusalOf(['invalid-proof', 'network-unavailable'], () => read(input))
      : null,
  check: ({ proof, header }) => {
    mustEqual(rootOf(proof), header.merkleroot, 'the proof leads to another root');
    must(BigInt(`0x${header.hash}`) <= 0x7f_ffffn << 232n, 'the header lacks proof of work');
  },
});

function isJson(input: Uint8Array): boolean {
  try {
    return JSON.parse(textOf(input)) !== undefined;
  } catch {
    return false;
  }
}
