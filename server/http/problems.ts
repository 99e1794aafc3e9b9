import type * as z from 'zod/mini';
import { ServiceError } from '../../protocol/errors/service-error.ts';

/** Human-readable errors by field. The key '' means the whole body. */
export type Problems = Readonly<Partial<Record<string, string>>>;

export type Checked<T> = { value: T; problems: null } | { value: null; problems: Problems };

/** Returns only names that look like property paths, so no other input is echoed. */
const plainNames = (names: readonly string[]): string[] =>
  [...new Set(names)].filter((name) => /^[\w.[\]-]{1,100}$/.test(name)).slice(0, 10);

/** Returns the dotted paths of invalid and unknown properties. An error about the body as a whole has no path. */
export const namesOf = ({ issues }: z.core.$ZodError): string[] =>
  plainNames(
    issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => [...issue.path, key].join('.'))
        : issue.path.join('.'),
    ),
  );

export function unknownMember(names: readonly string[]): string {
  const plain = plainNames(names);
  return `The body has unknown members${plain.length > 0 ? `: ${plain.join(', ')}` : ''}.`;
}

export function problemsOf({ issues }: z.core.$ZodError): Problems {
  const problems: Record<string, string> = {};
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') problems[''] = unknownMember(issue.keys);
    else
      problems[String(issue.path[0] ?? '')] ??=
        issue.path.length === 0 ? 'The body must be a JSON object.' : issue.message;
  }
  return problems;
}

export function check<S extends z.ZodMiniType>(schema: S, body: unknown): Checked<z.output<S>> {
  const read = schema.safeParse(body);
  return read.success ? { value: read.data, problems: null } : { value: null, problems: problemsOf(read.error) };
}

/** Returns a valid value. @throws ServiceError `invalid-request` with all problems in its message */
export function assertChecked<T>({ value, problems }: Checked<T>): T {
  if (problems !== null)
    throw new ServiceError('invalid-request', { message: [...new Set(Object.values(problems))].join(' ') });
  return value;
}
