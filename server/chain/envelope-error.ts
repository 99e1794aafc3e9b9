/** An invalid envelope, by ARC's code: malformed, without a transaction, or with merkle paths that don't compute. */
export class EnvelopeError extends Error {
  readonly status: 463 | 467 | 468;

  constructor(status: EnvelopeError['status'], message: string) {
    super(message);
    this.name = 'EnvelopeError';
    this.status = status;
  }
}
