/**
 * An append-only file of records that survives a process killed in the middle of any write.
 *
 * File: the eight bytes of MAGIC, then records: `length` (u32 LE, of type and payload) | first four bytes of SHA-256 of
 * those four | type (u8) | payload | first eight bytes of SHA-256 of type and payload. The length has its own checksum
 * so that a flipped bit in it cannot look like a torn tail and discard all later records.
 */
import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../../protocol/errors.ts';

/** A record, with its type (1 to 255) and its bytes. */
export interface LogRecord {
  type: number;
  payload: Uint8Array;
}

const MAGIC = Buffer.from('SBLEDG1\n', 'latin1');
const HEAD = 8;
const TAIL = 8;

function digest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** A record in the file's format. */
export function encodeRecord(record: LogRecord): Buffer {
  const body = Buffer.concat([Buffer.of(record.type), record.payload]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([length, digest(length).subarray(0, 4), body, digest(body).subarray(0, TAIL)]);
}

function damaged(at: number): ServiceError {
  return new ServiceError('internal', {
    detail: `the ledger's log is damaged at byte ${at}; restore it or remove the devnet directory`,
  });
}

/**
 * The complete records at the start of a log, and the number of bytes that they and the magic take. The rest is the
 * torn end of a write that was never acknowledged.
 * @throws ServiceError `internal` if records follow a damaged one, which a torn write can't cause. Nothing is dropped
 * then
 */
export function decodeLog(file: Buffer): { records: LogRecord[]; length: number } {
  const records: LogRecord[] = [];
  if (!file.subarray(0, MAGIC.length).equals(MAGIC.subarray(0, file.length))) throw damaged(0);
  if (file.length < MAGIC.length) return { records, length: 0 };
  let at = MAGIC.length;
  while (file.length - at >= HEAD) {
    const length = file.readUInt32LE(at);
    const headSound =
      digest(file.subarray(at, at + 4))
        .subarray(0, 4)
        .equals(file.subarray(at + 4, at + HEAD)) && length > 0;
    if (!headSound) {
      // A power failure can leave the end of a file filled with zeros. A killed process can't.
      if (file.subarray(at).every((byte) => byte === 0)) break;
      throw damaged(at);
    }
    const end = at + HEAD + length + TAIL;
    if (end > file.length) break;
    const body = file.subarray(at + HEAD, end - TAIL);
    if (
      !digest(body)
        .subarray(0, TAIL)
        .equals(file.subarray(end - TAIL, end))
    ) {
      if (end === file.length) break;
      throw damaged(at);
    }
    records.push({ type: body[0] ?? 0, payload: new Uint8Array(body.subarray(1)) });
    at = end;
  }
  return { records, length: at };
}

/** The open log. Calls to `append` must not overlap, which the node's queue ensures. */
export class RecordLog {
  readonly #handle: FileHandle;
  #length: number;
  #failure: unknown = null;

  constructor(handle: FileHandle, length: number) {
    this.#handle = handle;
    this.#length = length;
  }

  /**
   * Appends records. Once it resolves they are on disk (fdatasync).
   * @throws ServiceError `service-unavailable` if writing fails. The file is then unchanged
   */
  async append(records: readonly LogRecord[]): Promise<void> {
    if (this.#failure !== null)
      throw new ServiceError('service-unavailable', { detail: 'the log failed earlier', cause: this.#failure });
    const bytes = Buffer.concat(records.map(encodeRecord));
    try {
      let written = 0;
      while (written < bytes.length) {
        written += (await this.#handle.write(bytes, written, bytes.length - written, this.#length + written))
          .bytesWritten;
      }
      await this.#handle.datasync();
    } catch (cause) {
      // Remove the partial record, because the next append would follow it.
      await this.#handle.truncate(this.#length).catch((error: unknown) => {
        this.#failure = error;
      });
      throw new ServiceError('service-unavailable', { detail: 'the log could not be written', cause });
    }
    this.#length += bytes.length;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/**
 * Opens or creates the log file, drops a torn end, and returns its records.
 * @throws ServiceError `internal` (damaged, see {@link decodeLog})
 */
export async function openLog(file: string): Promise<{ log: RecordLog; records: LogRecord[] }> {
  const handle = await open(file, 'a+').then(async (made) => {
    await made.close();
    return open(file, 'r+');
  });
  try {
    const content = await handle.readFile();
    const { records, length } = decodeLog(content);
    if (length === 0) await handle.write(MAGIC, 0, MAGIC.length, 0);
    const kept = Math.max(length, MAGIC.length);
    await handle.truncate(kept);
    await handle.sync();
    await syncDirectory(path.dirname(file));
    return { log: new RecordLog(handle, kept), records };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Syncs the directory, so that a new file's name survives a power failure. Systems that cannot do this lose only that
 * guarantee.
 */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
