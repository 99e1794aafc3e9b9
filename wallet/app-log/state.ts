/** How far the log of applications' data is stored at the account's service. Types only. */

/** The last block number of each writer. */
export type Heads = Record<string, number>;

/** A sealed block on its way to the service: the same bytes are sent until they are acknowledged. */
export interface BlockUnderWay {
  sequence: number;
  /** Base64. */
  block: string;
  replaces: boolean;
  /** It completes the replacement of the log. */
  whole: boolean;
  entries: [key: string, version: number][];
}

/** The problem of the log when it was last read or written. */
export type AppLogProblem =
  /** Blocks of other wallets with the same words are altered or missing. */
  | 'damaged'
  /** Blocks of this wallet were lost. It has saved everything again. */
  | 'lost'
  /** The service was full. Deleted entries must be removed there as well, and sites share the space. */
  | 'crowded';

/** One record, under `appLog`. */
export interface AppLogState {
  /** Its account: the service's origin and the account's id. Null before there was one. */
  at: string | null;
  /** 8 random bytes of this wallet in this browser, hex; its last block, and the last one that the service has. */
  writer: string;
  sequence: number;
  acknowledged: number;
  underWay: BlockUnderWay | null;
  /** How far it was read: each writer's last block, and the service's position. */
  heads: Heads;
  cursor: number;
  /** When it was last read to its end (milliseconds since 1970); 0 for never. */
  readAt: number;
  /** Bytes and blocks at the service, and the bytes after it was last replaced. */
  bytes: number;
  blocks: number;
  leastBytes: number;
  /** While everything is being saved again: what it replaces. */
  replacing: { through: number; heads: Heads } | null;
  retry: { attempts: number; nextAt: number; problem: string | null };
  problem: AppLogProblem | null;
  /** Number of entries that didn't fit when everything was last saved again; missing for none. */
  leftOut?: number;
  /** When a file was last exported (milliseconds since 1970). */
  exportedAt: number | null;
}

/** The state of a wallet that has sent nothing yet. */
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
