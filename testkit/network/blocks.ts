/** Creates test blocks with a merkle tree and proof of work, independently of the code that verifies them. */
import { createHash, randomBytes } from 'node:crypto';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { readEnvelope } from '../../server/chain/envelope.ts';
import type { Header, TscProof } from '../../wallet/chain/whats-on-chain.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
export const hash256 = (bytes: Uint8Array) => sha256(sha256(bytes));
const internal = (hex: string) => Buffer.from(hex, 'hex').reverse();
const display = (bytes: Uint8Array) => Buffer.from(bytes).reverse().toString('hex');

/** Returns the rows of a merkle tree, leaves first, in internal byte order. */
function rows(txids: readonly string[]): Buffer[][] {
  const all = [txids.map(internal)];
  for (let row = all[0] as Buffer[]; row.length > 1; row = all.at(-1) as Buffer[]) {
    all.push(
      Array.from({ length: Math.ceil(row.length / 2) }, (_, i) =>
        hash256(Buffer.concat([row[2 * i] as Buffer, row[2 * i + 1] ?? (row[2 * i] as Buffer)])),
      ),
    );
  }
  return all;
}

/** Returns the merkle root of the given transactions. */
export const merkleRoot = (txids: readonly string[]) => display(rows(txids).at(-1)?.[0] as Buffer);

/** Mines a header, by default at regtest's difficulty. */
export function mineHeader(
  merkleroot: string,
  {
    bits = '207fffff',
    valid = true,
    height = 123,
    previous = 'ab'.repeat(32) as string | null,
    time = 1_700_000_000,
  } = {},
): Header {
  const header = { version: 0x2000_0000, merkleroot, time, bits, height, previousblockhash: previous };
  const target = BigInt(Number.parseInt(bits.slice(2), 16)) << (8n * BigInt(Number.parseInt(bits.slice(0, 2), 16) - 3));
  for (let nonce = 0; ; nonce += 1) {
    const bytes = Buffer.alloc(80);
    bytes.writeUInt32LE(header.version, 0);
    internal(previous ?? '00'.repeat(32)).copy(bytes, 4);
    internal(merkleroot).copy(bytes, 36);
    bytes.writeUInt32LE(header.time, 68);
    bytes.writeUInt32LE(Number.parseInt(bits, 16), 72);
    bytes.writeUInt32LE(nonce, 76);
    const hash = display(hash256(bytes));
    if (BigInt(`0x${hash}`) <= target === valid) return { ...header, nonce, hash };
  }
}

export function proofOf(txids: readonly string[], index: number, target: string): TscProof {
  const nodes: string[] = [];
  let at = index;
  for (const row of rows(txids).slice(0, -1)) {
    const sibling = row[at ^ 1];
    nodes.push(sibling ? display(sibling) : '*');
    at >>= 1;
  }
  return { index, txOrId: txids[index] as string, target, nodes };
}

/**
 * A test chain that responds like WhatsOnChain and chaintracks. Headers of replaced blocks remain available by hash.
 */
export class TestChain {
  /** The blocks of the current chain, indexed by height. */
  readonly blocks: { header: Header; txids: string[] }[] = [];
  /** All headers that ever existed, by hash. Tests may modify the headers. */
  readonly headers = new Map<string, Header>();

  readonly #random: (bytes: number) => Uint8Array;

  /**
   * @param length initial number of blocks
   * @param random makes blocks with the same transactions distinct
   */
  constructor(length = 1, random: (bytes: number) => Uint8Array = randomBytes) {
    this.#random = random;
    while (this.blocks.length < length) this.mine();
  }

  get tip(): Header {
    return (this.blocks.at(-1) as { header: Header }).header;
  }

  get height(): number {
    return this.tip.height;
  }

  /** Mines a block with the given transactions and a unique coinbase ID. */
  mine(txids: readonly string[] = [], { bits = '207fffff', time = 1_700_000_000 } = {}): Header {
    const all = [toHex(this.#random(32)), ...txids];
    const header = mineHeader(merkleRoot(all), {
      bits,
      time,
      height: this.blocks.length,
      previous: this.blocks.at(-1)?.header.hash ?? null,
    });
    this.blocks.push({ header, txids: all });
    this.headers.set(header.hash, header);
    return header;
  }

  /** Mines empty blocks. */
  grow(count: number): Header {
    for (let i = 0; i < count; i += 1) this.mine();
    return this.tip;
  }

  /**
   * Removes the last blocks so that a competing branch can be mined.
   * @returns the transactions of the removed blocks
   */
  cut(count: number): string[] {
    return this.blocks.splice(-count).flatMap(({ txids }) => txids.slice(1));
  }

  blockOf(txid: string): Header | undefined {
    return this.blocks.find(({ txids }) => txids.includes(txid))?.header;
  }

  proof(txid: string): TscProof | null {
    const block = this.blocks.find(({ txids }) => txids.includes(txid));
    return block ? proofOf(block.txids, block.txids.indexOf(txid), block.header.hash) : null;
  }

  /** Returns the response of go-chaintracks (v2) for a path. Undefined for unsupported paths. */
  chaintracks(path: string): { status?: number; body?: unknown } | undefined {
    const [, version, kind, by, id = ''] = path.split('/');
    if (version !== 'v2' || (kind !== 'tip' && kind !== 'header')) return undefined;
    const header = kind === 'tip' ? this.tip : by === 'height' ? this.blocks[Number(id)]?.header : this.headers.get(id);
    if (!header) return { status: 404, body: { error: 'header not found' } };
    const { hash, height, version: blockVersion, merkleroot, time, nonce, bits, previousblockhash } = header;
    return {
      body: {
        hash,
        height,
        version: blockVersion,
        previousHash: previousblockhash ?? '00'.repeat(32),
        merkleRoot: merkleroot,
        time,
        nonce,
        bits: Number.parseInt(bits, 16),
      },
    };
  }

  /** Returns WhatsOnChain's response for a path. Undefined for unsupported paths. */
  answer(path: string): { status?: number; body?: unknown } | undefined {
    const [, kind, id = '', more] = path.split('/');
    if (path === '/chain/info')
      return { body: { chain: 'test', blocks: this.height, headers: this.height, bestblockhash: this.tip.hash } };
    if (kind === 'block' && more === 'header') {
      const header = /^\d{1,9}$/.test(id) ? this.blocks[Number(id)]?.header : this.headers.get(id);
      return header ? { body: header } : { status: 404, body: 'Not Found' };
    }
    if (kind !== 'tx' || more !== 'proof') return undefined;
    const proof = this.proof(id);
    return { body: proof && [proof] };
  }
}

/** Extracts the raw transaction (hex) from a submission, which can be in Extended Format (BRC-30). */
export function rawOf(submitted: string): string {
  const bytes = readEnvelope(fromHex(submitted)).candidates.at(-1)?.bytes;
  if (!bytes) throw new Error('no transaction was submitted');
  return toHex(bytes);
}
