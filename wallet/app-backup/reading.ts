/**
 * Checks blocks from a service or a file. Altered or swapped blocks fail authentication (block.ts), and gaps in
 * sequence numbers reveal missing ones. Loss of a writer's latest blocks isn't detected if no other writer has seen
 * them.
 */
import type { Network } from '../../protocol/bitcoin/address.ts';
import type { Heads } from '../app-log/state.ts';
import { fromBase64, openBlock, type SealedEntry } from './block.ts';

export interface GivenBlock {
  writer: string;
  sequence: number;
  block: string;
}

/** One complete pass through a log. */
export class Reading {
  readonly #key: CryptoKey;
  readonly #network: Network;
  readonly #seen = new Map<string, Set<number>>();
  readonly #covered: Heads = {};
  readonly #claimed: Heads = {};
  #altered = 0;

  constructor(key: CryptoKey, network: Network) {
    this.#key = key;
    this.#network = network;
  }

  /** Returns the entries in a block; none if it is altered. */
  async open({ writer, sequence, block }: GivenBlock): Promise<SealedEntry[]> {
    const content = await openBlock(this.#key, { network: this.#network, writer, sequence }, bytesOf(block));
    if (!content) {
      this.#altered += 1;
      return [];
    }
    this.#seen.set(writer, (this.#seen.get(writer) ?? new Set()).add(sequence));
    raise(this.#claimed, content.heads);
    if (content.whole) raise(this.#covered, content.heads);
    return content.entries;
  }

  /** Returns each writer's last sequence number, among the blocks read and those that a replacement covers. */
  get heads(): Heads {
    const heads: Heads = {};
    raise(heads, this.#covered);
    for (const [writer, seen] of this.#seen) raise(heads, { [writer]: Math.max(...seen) });
    return heads;
  }

  /** True if a block states that the log up to it is complete. */
  get isWhole(): boolean {
    return Object.keys(this.#covered).length > 0;
  }

  /** True if no block could be decrypted, possibly because a different key was used. */
  get opensNothing(): boolean {
    return this.#altered > 0 && this.#seen.size === 0;
  }

  /** Returns the writers with missing sequence numbers. */
  get missing(): string[] {
    const { heads } = this;
    return [...new Set([...Object.keys(heads), ...Object.keys(this.#claimed)])].filter((writer) => {
      if ((this.#claimed[writer] ?? 0) > (heads[writer] ?? 0)) return true;
      const from = this.#covered[writer] ?? 0;
      let there = 0;
      for (const sequence of this.#seen.get(writer) ?? []) if (sequence > from) there += 1;
      return there < (heads[writer] ?? 0) - from;
    });
  }

  get isAltered(): boolean {
    return this.#altered > 0;
  }

  /** True if no block is altered or missing. */
  get isSound(): boolean {
    return this.#altered === 0 && this.missing.length === 0;
  }
}

function bytesOf(block: string): Uint8Array<ArrayBuffer> {
  try {
    return fromBase64(block);
  } catch {
    return new Uint8Array();
  }
}

function raise(heads: Heads, by: Heads): void {
  for (const [writer, sequence] of Object.entries(by)) heads[writer] = Math.max(heads[writer] ?? 0, sequence);
}
