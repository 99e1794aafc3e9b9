/** Errors in the format of the two 1Sat ordinals indexes. */
import type { ErrorRequestHandler, Router } from 'express';
import { readAddress, writeAddress } from '../../../protocol/bitcoin/address.ts';

export class OneSatError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'OneSatError';
    this.status = status;
  }
}

/** Adds the responses for unknown paths and errors. @param onError receives internal errors */
export function endOneSatRoutes(router: Router, onError: (error: unknown) => void): void {
  router.use(() => {
    throw new OneSatError(404, 'Not Found');
  });
  router.use(((error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    // Express throws a URIError for a path whose percent-encoding isn't UTF-8.
    const known =
      error instanceof OneSatError
        ? error
        : error instanceof URIError
          ? new OneSatError(400, 'Bad Request')
          : new OneSatError(500, 'Internal Server Error');
    if (known.status >= 500) onError(error);
    return response.status(known.status).json({ message: known.message });
  }) satisfies ErrorRequestHandler);
}

/** Returns the public key hash (hex) of a test network address. @throws OneSatError 400 */
export function ownerOf(text: string): string {
  const address = readAddress(text);
  if (!address || address.mainnet) throw new OneSatError(400, 'Invalid address');
  return Buffer.from(address.hash).toString('hex');
}

export const addressOf = (owner: string | null): string | null =>
  owner === null ? null : writeAddress(Buffer.from(owner, 'hex'), 'devnet');
