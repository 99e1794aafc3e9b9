/**
 * An append-only file of records. Acknowledged records survive if the process is killed. A power failure or disk damage
 * can lose the latest records, which is acceptable for devnet's worthless coins. Format: the eight bytes of MAGIC, then
 * records: `length` (u32 LE, of type and payload) | first four bytes of SHA-256 of `length` | type (u8) | payload |
 * first eight bytes of SHA-256 of type and payload.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { ServiceError } from '../../../protocol/errors/service-error.ts';

export interface LogRecord {
  type: number;
  payload: Uint8Array;
}

const MAGIC = Buffer.from('SBLEDG1\n', 'latin1');
const HEAD = 8;
const TAIL = 8;

const checksum = (bytes: Uint8Array, size: number) => createHash('sha256').update(bytes).digest().subarray(0, size);

function encodeRecord({ type, payload }: LogRecord): Buffer {
  const body = Buffer.concat([Buffer.of(type), payload]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([length, checksum(length, 4), body, checksum(body, TAIL)]);
}

/** Returns the complete records, and the file offset at which they end. */
function decodeLog(file: Buffer): { records: LogRecord[]; length: number } {
  const records: LogRecord[] = [];
  let at = MAGIC.length;
  while (file.length >= at + HEAD + TAIL) {
    const end = at + HEAD + file.readUInt32LE(at) + TAIL;
    const body = file.subarray(at + HEAD, end - TAIL);
    const [type] = body;
    if (end > file.length || !type || !checksum(body, TAIL).equals(file.subarray(end - TAIL, end))) break;
    records.push({ type, payload: new Uint8Array(body.subarray(1)) });
    at = end;
  }
  return { records, length: at };
}

/** The open log. The node's queue ensures that calls to `append` don't overlap. */
export class RecordLog {
  readonly #handle: FileHandle;
  #length: number;

  constructor(handle: FileHandle, length: number) {
    this.#handle = handle;
    this.#length = length;
  }

  /** Appends records, overwriting the bytes of a failed append. @throws ServiceError `service-unavailable` */
  async append(records: readonly LogRecord[]): Promise<void> {
    const bytes = Buffer.concat(records.map(encodeRecord));
    try {
      const { bytesWritten } = await this.#handle.write(bytes, 0, bytes.length, this.#length);
      if (bytesWritten < bytes.length) throw new RangeError('the disk is full');
    } catch (cause) {
      throw new ServiceError('service-unavailable', { detail: 'the log could not be written', cause });
    }
    this.#length += bytes.length;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/**
 * Opens or creates the log. Returns the log's records, and truncates the file at the first incomplete record.
 * @throws ServiceError `internal` if the file isn't a log
 */
export async function openLog(file: string): Promise<{ log: RecordLog; records: LogRecord[] }> {
  const handle = await open(file, constants.O_RDWR | constants.O_CREAT);
  try {
    const content = await handle.readFile();
    if (!content.subarray(0, MAGIC.length).equals(MAGIC.subarray(0, content.length)))
      throw new ServiceError('internal', { detail: `${file} is not a ledger file` });
    const { records, length } = decodeLog(content);
    await handle.write(MAGIC, 0, MAGIC.length, 0);
    await handle.truncate(length);
    return { log: new RecordLog(handle, length), records };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
