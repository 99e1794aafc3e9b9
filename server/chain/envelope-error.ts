/**
 * What is wrong with an envelope, by ARC's status numbers: malformed, no transaction in it, merkle paths that do not
 * compute.
 */
export class EnvelopeError extends Error {
  readonly status: 463 | 467 | 468;

  constructor(status: EnvelopeError['status'], message: string) {
    super(message);
    this.name = 'EnvelopeError';
    this.status = status;
  }
}
