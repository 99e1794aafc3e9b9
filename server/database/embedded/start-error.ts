/** Error codes for a failed start, stable for use in monitoring. Remedies: docs/operate/deploy.md. */
export const START_ERROR_CODES = [
  'data-folder-in-use',
  'preview-data',
  'database-encoding',
  'other-postgresql-version',
  'data-folder-unusable',
  'no-postgresql',
  'disk-full',
  'postgresql-failed',
] as const;

export type StartErrorCode = (typeof START_ERROR_CODES)[number];

/** The message, addressed to the operator, includes the remedy. */
export class StartError extends Error {
  override name = 'StartError';
  readonly code: StartErrorCode;

  constructor(code: StartErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Creates the error for a PostgreSQL program from its stderr output. */
export function failedProgram(program: string, output: string, folder: string): StartError {
  if (/No space left on device|Disk quota exceeded|disk is full/i.test(output)) {
    return new StartError('disk-full', `No space is left on the disk of ${folder}. Free some space and start again.`);
  }
  const [, user] = /could not look up effective user ID (\d+)/.exec(output) ?? [];
  if (user !== undefined) {
    return new StartError(
      'postgresql-failed',
      `This process runs as user ${user}, who has no name on this system (no line in /etc/passwd), but PostgreSQL requires one. Run the service as a named user, or set DATABASE_URL.`,
    );
  }
  const lines = output.split('\n').map((line) => line.trim());
  const reason =
    lines.findLast((line) => /\b(?:FATAL|PANIC|error):/.test(line)) ?? lines.findLast((line) => line !== '') ?? '';
  return new StartError(
    'postgresql-failed',
    `PostgreSQL (${program}) failed on ${folder}: ${reason || 'it reported no reason'}. Fix that, or set DATABASE_URL to your own PostgreSQL server.`,
  );
}
