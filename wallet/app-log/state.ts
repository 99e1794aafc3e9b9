/** State of the synchronization of the applications' log with the account's service. */

/** The last sequence number of each writer. */
export type Heads = Record<string, number>;

/** An encrypted block being sent. The same bytes are resent until they are acknowledged. */
export interface BlockUnderWay {
  sequence: number;
  /** Base64. */
  block: string;
  replaces: boolean;
  /** True for the last block of a replacement. */
  whole: boolean;
  entries: [key: string, version: number][];
}

/** The problem found when the log was last read or written. */
export type AppLogProblem =
  /** Blocks from other wallets with the same recovery words are altered or missing. */
  | 'damaged'
  /** Some of this wallet's blocks were lost, so the log is replaced. */
  | 'lost'
  /** The service was full. Deleted entries must be removed from the log, and sites share the space. */
  | 'crowded';

/** The value of `appLog` in `keyval`. */
export interface AppLogState {
  /** The service's origin and the account's ID; null if there was no account yet. */
  at: string | null;
  /** 8 random bytes (hex) that identify this wallet in this browser. */
  writer: string;
  /** Number of this wallet's latest block. */
  sequence: number;
  /** Number of this wallet's latest block that the service has confirmed. */
  acknowledged: number;
  underWay: BlockUnderWay | null;
  /** The last block read from each writer. */
  heads: Heads;
  /** The position in the service's log after the last read. */
  cursor: number;
  /** When the log was last read completely (milliseconds since 1970); 0 for never. */
  readAt: number;
  bytes: number;
  blocks: number;
  /** The log's size immediately after the last replacement (bytes). */
  leastBytes: number;
  /** During a replacement: the position and the blocks that it replaces. */
  replacing: { through: number; heads: Heads } | null;
  retry: { attempts: number; nextAt: number; problem: string | null };
  problem: AppLogProblem | null;
  /** Number of entries that didn't fit into the last replacement; missing if zero. */
  leftOut?: number;
  /** When a file was last exported (milliseconds since 1970); null for never. */
  exportedAt: number | null;
}

/** Returns the state of a wallet that hasn't sent anything yet. */
export function newState(at: string | null, writer: string): AppLogState {
  return {
    at,
    writer,
    sequence: 0,
    acknowledged: 0,
    underWay: null,
    heads: {},
    cursor: 0,
    readAt: 0,
    bytes: 0,
    blocks: 0,
    leastBytes: 0,
    replacing: null,
    retry: { attempts: 0, nextAt: 0, problem: null },
    problem: null,
    exportedAt: null,
  };
}
