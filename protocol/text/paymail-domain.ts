/** Converts paymails' domains between spellings. Has no imports, because the SDK for merchants' servers includes it. */

/**
 * Returns a paymail's domain in ASCII (Unicode TR 46, as in browsers), in lower case and with its port. Null if the
 * domain is invalid.
 */
export function asciiDomain(domain: string): string | null {
  const [, name, port = ''] = /^([^\s:/?#%\\@[\]]+)(:\d{1,5})?$/.exec(domain) ?? [];
  return name !== undefined && URL.canParse(`https://${name}`) ? new URL(`https://${name}`).hostname + port : null;
}

/**
 * True if a paymail's domain, in Unicode or in ASCII, is this one.
 * @param domain in lower case
 * @param ascii in ASCII and in lower case
 */
export function isSameDomain(domain: string, ascii: string): boolean {
  // TR 46 converts an ideographic full stop at the end to a dot.
  return domain === ascii || asciiDomain(domain)?.replace(/\.$/, '') === ascii;
}
