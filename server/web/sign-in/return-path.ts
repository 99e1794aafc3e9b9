/** Validates the path to return to after signing in. Pure. */

/** Default page after signing in. */
export const HOME = '/account';

/**
 * Returns the path and query in a `return` parameter if it is on this server, otherwise {@link HOME}. Browsers treat
 * `//x` and `/\x` as hosts, and drop tabs and line breaks (URL standard, section 4.4).
 * @param base this server's origin
 */
export function returnPath(named: unknown, base: string): string {
  if (typeof named !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(named) || !URL.canParse(named, base)) return HOME;
  const { origin, pathname, search } = new URL(named, base);
  // Resolving dot segments can yield a path that starts with two slashes.
  const isOwn = origin === new URL(base).origin && !pathname.startsWith('//');
  // Returning to /sign-in would loop.
  return isOwn && pathname !== '/sign-in' ? pathname + search : HOME;
}
