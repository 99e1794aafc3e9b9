/** The path to return to after signing in. Pure. */

/** The page after signing in by default. */
export const HOME = '/account';

/**
 * The path of this server that a `return` parameter names, with its query; {@link HOME} for anything else. Browsers
 * read `//x` and `/\x` as hosts, and drop tabs and line breaks (URL standard, section 4.4).
 * @param base this server's origin
 */
export function returnPath(named: unknown, base: string): string {
  if (typeof named !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(named) || !URL.canParse(named, base)) return HOME;
  const { origin, pathname, search } = new URL(named, base);
  // Removing dots may leave a path that begins with two slashes.
  const isOwn = origin === new URL(base).origin && !pathname.startsWith('//');
  // Returning here would loop.
  return isOwn && pathname !== '/sign-in' ? pathname + search : HOME;
}
