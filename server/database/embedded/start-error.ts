/** Why the service's own PostgreSQL cannot be started. */

/** Stable: documents and monitoring may rely on them. */
export type StartErrorCode =
  /** Another running service uses the data folder. */
  | 'data-folder-in-use'
  /** The data folder, or the database at DATABASE_URL, was made by a preview of this service. */
  | 'preview-data'
  /** The data folder belongs to another major version of PostgreSQL than the one that is installed. */
  | 'other-postgresql-version'
  /** The data folder cannot be read or written, or holds something else. */
  | 'data-folder-unusable'
  /** There are no PostgreSQL programs for this platform, or they do not run on it. */
  | 'no-postgresql'
  | 'disk-full'
  /** PostgreSQL gave another reason, which is in the message. */
  | 'postgresql-failed';

/** The message is a sentence for the operator that says what to do. */
export class StartError extends Error {
  override name = 'StartError';
  readonly code: StartErrorCode;

  constructor(code: StartErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Makes the error out of what one of PostgreSQL's programs wrote to standard error. */
export function failedProgram(program: string, output: string, folder: string): StartError {
  if (/No space left on device|Disk quota exceeded|disk is full/i.test(output)) {
    return new StartError('disk-full', `There is no space left on the disk of ${folder}. Free some, and start again.`);
  }
  const [, user] = /could not look up effective user ID (\d+)/.exec(output) ?? [];
  if (user !== undefined) {
    return new StartError(
      'postgresql-failed',
      `User ${user}, which this process runs as, has no name on this system (no line in /etc/passwd), and PostgreSQL insists on one. Run the service as a user that has, or set DATABASE_URL.`,
    );
  }
  const lines = output.split('\n').map((line) => line.trim());
  const reason =
    lines.findLast((line) => /\b(?:FATAL|PANIC|error):/.test(line)) ?? lines.findLast((line) => line !== '') ?? '';
  return new StartError(
    'postgresql-failed',
    `PostgreSQL (${program}) failed on ${folder}: ${reason || 'it gave no reason'}. Mend that, or set DATABASE_URL to a PostgreSQL server of your own.`,
  );
}
