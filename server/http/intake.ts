/**
 * How bodies come into this process: their bytes are counted as they arrive, in one budget for all that are under way,
 * and each has to be there in time. A connection that has sent nothing takes nothing from anybody.
 */
import type { Request, Response } from 'express';
import { ServiceError } from '../../protocol/errors.ts';

/**
 * What may be under way at the same time, in bytes that have come in and are not answered yet. A body costs several
 * times its size.
 */
export interface IntakeLimits {
  /** Of all callers. */
  budget: number;
  /** Of that, by bodies that may be large: what is left is for everything else. */
  large: number;
  /** By one caller. */
  ofOne: number;
  /** How long a body may take to come in, in milliseconds. */
  deadlineMs: number;
}

export const INTAKE_LIMITS: IntakeLimits = {
  budget: 256_000_000,
  large: 200_000_000,
  ofOne: 50_000_000,
  deadlineMs: 20_000,
};

/** A body that is to be received. */
export interface Expected {
  request: Request;
  response: Response;
  /** Its most bytes. */
  limit: number;
  /** Who sends it. */
  caller: string;
}

/** Receives bodies. */
export interface Intake {
  /**
   * The bytes of a body. They count until the request is answered or its connection is gone. What of a refused body
   * still comes in is read and thrown away, so that its sender gets to read the answer.
   * @throws ServiceError `too-large`, `service-unavailable` (no room, with Retry-After), `request-timeout`,
   * `invalid-request` (broken off)
   */
  receive(expected: Expected): Promise<Buffer>;
}

/** Larger limits are those of bodies that may be large. */
const SMALL = 1_048_576;
/** When it is worth another try, in seconds. */
const RETRY_AFTER = 5;
const FIRST_CAPACITY = 4_096;

/** Counts for one process. */
export function createIntake({ budget, large, ofOne, deadlineMs }: IntakeLimits = INTAKE_LIMITS): Intake {
  let all = 0;
  const byCaller = new Map<string, number>();

  /** What one body takes of it. */
  function shareOf(caller: string, most: number) {
    let taken = 0;
    const count = (bytes: number) => {
      taken += bytes;
      all += bytes;
      const own = (byCaller.get(caller) ?? 0) + bytes;
      if (own === 0) byCaller.delete(caller);
      else byCaller.set(caller, own);
    };
    return {
      take(bytes: number): boolean {
        if (all + bytes > most || (byCaller.get(caller) ?? 0) + bytes > ofOne) return false;
        count(bytes);
        return true;
      },
      giveBack: () => count(-taken),
    };
  }

  return {
    receive({ request, response, limit, caller }) {
      const share = shareOf(caller, limit > SMALL ? large : budget);
      response.once('close', share.giveBack);
      return read(request, limit, deadlineMs, share).catch((error: unknown) => {
        share.giveBack();
        if (error instanceof ServiceError && error.code === 'service-unavailable')
          response.set('Retry-After', String(RETRY_AFTER));
        throw error;
      });
    },
  };
}

/** Reads a body while there is room for it. Nothing that outlives the reading holds on to the bytes. */
function read(
  request: Request,
  limit: number,
  deadlineMs: number,
  { take }: { take: (bytes: number) => boolean },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const announced = Number(request.headers['content-length'] ?? limit);
    const body = createGrowing(Math.min(limit, announced));
    const stop = () => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
    };
    const refuse = (error: ServiceError) => {
      stop();
      request.on('error', () => {}).resume();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      if (body.size() + chunk.length > limit) refuse(new ServiceError('too-large'));
      else if (take(chunk.length)) body.add(chunk);
      else refuse(new ServiceError('service-unavailable', { detail: 'no room for a body' }));
    };
    const onEnd = () => {
      stop();
      resolve(body.bytes());
    };
    const onGone = () => refuse(new ServiceError('invalid-request', { detail: 'the connection broke' }));

    const timer = setTimeout(() => refuse(new ServiceError('request-timeout')), deadlineMs);
    // Gone already: its close has been.
    if (request.destroyed) onGone();
    else if (announced > limit) refuse(new ServiceError('too-large'));
    else request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

/** Bytes in one piece that grows: of chunks of one byte, each kept by itself would cost a hundred times as much. */
function createGrowing(most: number) {
  let held = Buffer.alloc(0);
  let size = 0;
  return {
    add(chunk: Buffer) {
      if (size + chunk.length > held.length) {
        const capacity = Math.min(
          Math.max(most, size + chunk.length),
          Math.max(FIRST_CAPACITY, 2 * (size + chunk.length)),
        );
        const larger = Buffer.allocUnsafeSlow(capacity);
        held.copy(larger, 0, 0, size);
        held = larger;
      }
      chunk.copy(held, size);
      size += chunk.length;
    },
    size: () => size,
    bytes: () => held.subarray(0, size),
  };
}

/** The one of this app; tests put in another with limits of their own. */
export function intakeOf({ app: { locals } }: Request): Intake {
  return (locals.intake ??= createIntake()) as Intake;
}
