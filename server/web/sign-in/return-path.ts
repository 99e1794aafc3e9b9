/** Where to go on after signing in. Pure. */

/** Where those go who came for nothing else. */
export const HOME = '/account';

/**
 * The path of this server that a `return` parameter names, with its query; {@link HOME} for anything else. Nobody is
 * sent to another site: browsers read `//x` and `/\x` as hosts, and drop tabs and line breaks on the way (URL standard,
 * section 4.4).
 * @param base this server's origin
 */
export function returnPath(named: unknown, base: string): string {
  if (typeof named !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(named) || !URL.canParse(named, base)) return HOME;
  const { origin, pathname, search } = new URL(named, base);
  // Dots may have shortened it to a path with two slashes in front.
  const isOwn = origin === new URL(base).origin && !pathname.startsWith('//');
  // Coming back here would go round in circles.
  return isOwn && pathname !== '/sign-in' ? pathname + search : HOME;
}
