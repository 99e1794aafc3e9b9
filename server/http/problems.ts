/** What is wrong with a body, field by field, in the words of its schema's checks. */
import type * as z from 'zod/mini';
import { ServiceError } from '../../protocol/errors.ts';

/** Sentences for people by field; '' is the whole. */
export type Problems = Readonly<Partial<Record<string, string>>>;

/** What a body says, or what is wrong with it. */
export type Checked<T> = { value: T; problems: null } | { value: null; problems: Problems };

/** The first problem of each field. */
export function problemsOf({ issues }: z.core.$ZodError): Problems {
  const problems: Record<string, string> = {};
  for (const issue of issues) {
    // An unknown member's name is the caller's own text: it is not said back.
    if (issue.code === 'unrecognized_keys') problems[''] = 'There is a member that is not known here.';
    else
      problems[String(issue.path[0] ?? '')] ??=
        issue.path.length === 0 ? 'The body must be a JSON object.' : issue.message;
  }
  return problems;
}

/** Reads a body by its schema. */
export function check<S extends z.ZodMiniType>(schema: S, body: unknown): Checked<z.output<S>> {
  const read = schema.safeParse(body);
  return read.success ? { value: read.data, problems: null } : { value: null, problems: problemsOf(read.error) };
}

/** @throws ServiceError `invalid-request` with every problem in its message */
export function assertChecked<T>({ value, problems }: Checked<T>): T {
  if (problems !== null)
    throw new ServiceError('invalid-request', { message: [...new Set(Object.values(problems))].join(' ') });
  return value;
}
