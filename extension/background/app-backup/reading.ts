/**
 * Checks blocks that were read from a service or a file. Neither can alter one or put it in another's place unnoticed
 * (block.ts); that none is missing shows in the writers' numbers. What cannot show is that the newest blocks of a
 * writer are missing which no other writer has seen.
 */
import type { Network } from '../../../protocol/address.ts';
import type { Heads } from '../app-log/state.ts';
import { fromBase64, openBlock, type SealedEntry } from './block.ts';

/** A block as it came. */
export interface GivenBlock {
  writer: string;
  sequence: number;
  block: string;
}

/** One reading, from the beginning to the end. */
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

  /** The entries of a block; none of an altered one. */
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

  /** The last block of each writer: those that were read or that another block replaces. */
  get heads(): Heads {
    const heads: Heads = {};
    raise(heads, this.#covered);
    for (const [writer, seen] of this.#seen) raise(heads, { [writer]: Math.max(...seen) });
    return heads;
  }

  /** Did a block say that it holds everything up to then? */
  get isWhole(): boolean {
    return Object.keys(this.#covered).length > 0;
  }

  /** Was every block altered? Then it may be that they were sealed under another key. */
  get opensNothing(): boolean {
    return this.#altered > 0 && this.#seen.size === 0;
  }

  /** Writers of which something is missing that was written before something that is there. */
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

  /** Was one altered? */
  get isAltered(): boolean {
    return this.#altered > 0;
  }

  /** Nothing is altered, nothing is missing. */
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
