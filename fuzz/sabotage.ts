/** Ways to break a parser, each of which fuzzing must find: what stands in its code, and what would stand there. */
interface Sabotage {
  target: string;
  /** Path from the root. */
  file: string;
  from: string;
  to: string;
}

const TRANSACTION = { target: 'transaction', file: 'protocol/transaction.ts' };

/** By what is wrong then. */
export const SABOTAGES: Readonly<Record<string, Sabotage>> = {
  'transaction: bytes may follow': { ...TRANSACTION, from: 'if (reader.left !== 0)', to: 'if (false)' },
};
