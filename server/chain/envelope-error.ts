/** An invalid envelope, with ARC's code: 463 malformed, 467 without a transaction, 468 invalid merkle paths. */
export class EnvelopeError extends Error {
  readonly status: 463 | 467 | 468;

  constructor(status: EnvelopeError['status'], message: string) {
    super(message);
    this.name = 'EnvelopeError';
    this.status = status;
  }
}
