import { API_ERRORS, SHOWN_ERRORS, type ErrorMeaning, type ErrorRow, type Sent } from './error-table.ts';

/** Every stable error code and its meaning. Pages and applications compare codes; only texts may change. */
export const ERRORS: Readonly<Record<ErrorCode, ErrorRow>> = { ...SHOWN_ERRORS, ...API_ERRORS };

export type ErrorCode = keyof typeof SHOWN_ERRORS | keyof typeof API_ERRORS;

/** An error as it crosses a border: a stable code and a sentence for people. It never carries private detail. */
export interface WireError {
  code: ErrorCode;
  message: string;
}

/** An error with its meaning, so that pages don't need the table. */
export type PageError = WireError & ErrorMeaning;

/** The meaning of a code, for the wallet's windows, which have translated sentences. */
export const meaningOf = (code: ErrorCode): Omit<ErrorRow, 'message'> => ERRORS[code];

/** True if this code, in the response to a report or a delivery, means that it will never be accepted. */
export function isDeclined(code: ErrorCode, sent: Sent): boolean {
  return ERRORS[code].declines?.includes(sent) ?? false;
}

/** True for a string that is one of our stable codes. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERRORS, value);
}

/** The product's error class. `message` is for the caller, `detail` only for our log. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;

  constructor(code: ErrorCode, options: { message?: string; detail?: string; cause?: unknown } = {}) {
    super(options.message ?? ERRORS[code].message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.detail = options.detail;
  }
}

/** True for an error that means a full disk. */
export const isDiskFull = (error: unknown): boolean => error instanceof Error && error.name === 'QuotaExceededError';

/** An error as one of ours: `disk-full` for a full storage, `internal` for anything unknown. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError(isDiskFull(error) ? 'disk-full' : 'internal', { cause: error });
}

/** An error as other components may see it: this project's codes unchanged, all others as `internal`. */
export function toWireError(error: unknown): WireError {
  const { code, message } = toServiceError(error);
  return { code, message };
}

export function toPageError(error: unknown): PageError {
  const wire = toWireError(error);
  const { moved, final, blame, about } = ERRORS[wire.code];
  return { ...wire, moved, final, blame, ...(about && { about }) };
}

/** Restores a received error. Unknown codes become `internal`. */
export function fromWireError(wire: { code?: unknown; message?: unknown }): ServiceError {
  const code = isErrorCode(wire.code) ? wire.code : 'internal';
  return new ServiceError(code, typeof wire.message === 'string' ? { message: wire.message.slice(0, 500) } : {});
}
