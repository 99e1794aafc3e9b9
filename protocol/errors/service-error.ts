import { API_ERRORS, SHOWN_ERRORS, type ErrorMeaning, type ErrorRow, type Sent } from './error-table.ts';

/**
 * Every stable error code and its meaning. Pages and applications depend on the codes, so only the messages may change.
 */
export const ERRORS: Readonly<Record<ErrorCode, ErrorRow>> = { ...SHOWN_ERRORS, ...API_ERRORS };

export type ErrorCode = keyof typeof SHOWN_ERRORS | keyof typeof API_ERRORS;

/** An error as sent to other components: a stable code, and a message for users that contains no internal details. */
export interface WireError {
  code: ErrorCode;
  message: string;
}

/** An error together with its meaning, so pages don't need the error table. */
export type PageError = WireError & ErrorMeaning;

/** Returns the meaning of a code without its message, which the wallet's windows translate. */
export const meaningOf = (code: ErrorCode): Omit<ErrorRow, 'message'> => ERRORS[code];

/** True if this code, in the response to a report or delivery, means that the message will never be accepted. */
export function isDeclined(code: ErrorCode, sent: Sent): boolean {
  return ERRORS[code].declines?.includes(sent) ?? false;
}

/** True for one of our stable error codes. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERRORS, value);
}

/** The project's error class. `message` is for the caller, `detail` only for our log. */
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

/** True for an error that reports a full disk. */
export const isDiskFull = (error: unknown): boolean => error instanceof Error && error.name === 'QuotaExceededError';

/** Converts any error to a ServiceError: `disk-full` if the storage is full, `internal` if the error is unknown. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError(isDiskFull(error) ? 'disk-full' : 'internal', { cause: error });
}

/** Returns the code and message of an error for other components. An error that isn't ours becomes `internal`. */
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
