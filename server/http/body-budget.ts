/**
 * Receives request bodies. Received bytes count toward one budget for all requests in progress, and each body has a
 * deadline. A connection that sends nothing uses no budget.
 */
import type { Request, Response } from 'express';
import { ServiceError } from '../../protocol/errors/service-error.ts';

/** Limits on the received bytes of unanswered requests. Parsing a body multiplies its memory use. */
export interface IntakeLimits {
  budget: number;
  /** The part of the budget available to large bodies. Small bodies can also use the rest. */
  large: number;
  ofOne: number;
  deadlineMs: number;
}

export const INTAKE_LIMITS: IntakeLimits = {
  budget: 256_000_000,
  large: 200_000_000,
  ofOne: 50_000_000,
  deadlineMs: 20_000,
};

export interface Expected {
  request: Request;
  response: Response;
  limit: number;
  caller: string;
}

export interface Intake {
  /**
   * Receives a body. The body's bytes count toward the budget until the response is sent or the connection closes. The
   * rest of a rejected body is discarded so that the client can read the response.
   * @throws ServiceError `too-large`, `service-unavailable` (budget exhausted, with Retry-After), `request-timeout`,
   * `invalid-request` (connection lost)
   */
  receive(expected: Expected): Promise<Buffer>;
}

/**
 * Bodies with a size limit up to this (bytes) are considered small. Larger bodies share the `large` part of the budget.
 */
const SMALL = 1_048_576;
/** Retry-After in seconds. */
const RETRY_AFTER = 5;
const FIRST_CAPACITY = 4_096;

export function createIntake({ budget, large, ofOne, deadlineMs }: IntakeLimits = INTAKE_LIMITS): Intake {
  let all = 0;
  const byCaller = new Map<string, number>();

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
      releaseAfter(response, share.giveBack);
      return read(request, limit, deadlineMs, share).catch((error: unknown) => {
        share.giveBack();
        if (error instanceof ServiceError && error.code === 'service-unavailable')
          response.set('Retry-After', String(RETRY_AFTER));
        throw error;
      });
    },
  };
}

/**
 * Calls `release` when the response is complete or its connection closes. `close` isn't enough, because a response that
 * waits behind another one on its connection (HTTP/1.1 pipelining) isn't closed until that one ends.
 */
function releaseAfter(response: Response, release: () => void): void {
  response.once('close', release);
  const end = response.end.bind(response) as typeof response.end;
  response.end = ((...args: Parameters<typeof end>) => {
    release();
    return end(...args);
  }) as typeof response.end;
}

/** Reads a body, unless it exceeds its size limit or the budget. Keeps no references to the bytes after the call. */
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
      else refuse(new ServiceError('service-unavailable', { detail: 'the limits for request bodies are reached' }));
    };
    const onEnd = () => {
      stop();
      resolve(body.bytes());
    };
    const onGone = () => refuse(new ServiceError('invalid-request', { detail: 'the connection broke' }));

    const timer = setTimeout(() => refuse(new ServiceError('request-timeout')), deadlineMs);
    // If the request is already destroyed, `close` won't be emitted.
    if (request.destroyed) onGone();
    else if (announced > limit) refuse(new ServiceError('too-large'));
    else request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

/** Creates a growing contiguous buffer. Storing one-byte chunks separately would use a hundred times the memory. */
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

/** Returns the app's {@link Intake}. Tests replace it to set different limits. */
export function intakeOf({ app: { locals } }: Request): Intake {
  return (locals.intake ??= createIntake()) as Intake;
}
