/** The ledger's rejections, with ARC's status codes (bitcoin-sv/arc, pkg/api/status.go). */

/** ARC's titles and details for the status codes that this ledger uses. */
export const REFUSALS = {
  400: { title: 'Bad request', detail: 'The request seems to be malformed and cannot be processed' },
  404: { title: 'Not found', detail: 'The requested resource could not be found' },
  409: { title: 'Generic error', detail: 'Transaction could not be processed' },
  460: {
    title: 'Not extended format',
    detail: 'Missing input scripts: Transaction could not be transformed to extended format',
  },
  461: { title: 'Malformed transaction', detail: 'Transaction is malformed and cannot be processed' },
  462: { title: 'Invalid inputs', detail: 'Transaction is invalid because the inputs are non-existent or spent' },
  463: { title: 'Malformed transaction', detail: 'Transaction is malformed and cannot be processed' },
  464: { title: 'Invalid outputs', detail: 'Transaction is invalid because the outputs are non-existent or invalid' },
  465: { title: 'Fee too low', detail: 'Fees are insufficient' },
  466: {
    title: 'Conflicting tx found',
    detail: 'Transaction is valid, but there is a conflicting tx in the block template',
  },
  467: {
    title: 'Mined ancestors not found',
    detail: "BEEF validation failed: couldn't find mined ancestor of the transaction in provided beef transactions",
  },
  468: { title: 'Invalid BUMPs', detail: "BEEF validation failed: couldn't calculate Merkle Roots from given BUMPs" },
  469: { title: 'Merkle Roots validation failed', detail: "BEEF validation failed: couldn't validate Merkle Roots" },
  474: { title: 'Transaction size validation failed', detail: 'Transaction size validation failed' },
  476: { title: 'Not final', detail: 'Transaction is not final yet' },
} as const;

export type RefusalStatus = keyof typeof REFUSALS;

/**
 * A rejected transaction. `message` names the violated rule and is public (ARC's `extraInfo`). `competing` lists the
 * txids of transactions that already spend an input.
 */
export class LedgerRejection extends Error {
  readonly status: RefusalStatus;
  readonly txid: string | undefined;
  readonly competing: readonly string[];

  constructor(
    status: RefusalStatus,
    message: string,
    options: { txid?: string; competing?: readonly string[]; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'LedgerRejection';
    this.status = status;
    this.txid = options.txid;
    this.competing = options.competing ?? [];
  }
}
