/** Rejects names and URLs that would make an application look like the service on the consent page. Pure. */
import { visualForm } from '../../protocol/text/confusables.ts';
import { lookAlike } from '../../protocol/text/look-alike.ts';
import { PRODUCT_NAME } from '../../protocol/text/product.ts';

export interface OwnAddresses {
  baseUrl: string;
  paymailDomain: string;
}

/** "Verified" and "official" in the languages of the service's pages, case-folded. */
const CLAIMS = [
  'verified',
  'official',
  'verifiziert',
  'geprüft',
  'offiziell',
  'vérifié',
  'officiel',
  'verificado',
  'oficial',
  'verificada',
  '認証済',
  '公式',
  'موثق',
  'رسمي',
];
/** Check marks, and symbols that resemble the badges of verified accounts. */
const MARKS = /[\u2611\u2705\u2713\u2714\u{1f5f8}\u{1f5f9}\u{1f6e1}\u{1f512}\u{1f510}\u237b\u221a]/u;

/** Splits text into case-folded words, both as written and NFKD-decomposed (ⓥ is one letter, ™ is two). */
const words = (text: string): string[] =>
  [text, text.normalize('NFKD')].flatMap((form) => form.split(/[^\p{L}\p{N}\p{M}|$]+/u)).map(visualForm);

/** Returns the label that identifies a host's operator: `acme` in `pay.acme.co.uk`. Null for IPs and single labels. */
function operatorOf(host: string): string | null {
  const labels = host.replace(/:\d+$/, '').split('.');
  if (labels.length < 2 || /^[\d:[\]]+$/.test(labels.join(''))) return null;
  const [second = '', third] = labels.slice(0, -1).toReversed();
  return third !== undefined && second.length <= 3 ? third : second;
}

/** Returns an error message for an unacceptable application name, or null. */
export function problemOfName(name: string, own: OwnAddresses | undefined): string | null {
  const look = visualForm(name);
  const hosts = own ? [new URL(own.baseUrl).hostname, own.paymailDomain.replace(/:\d+$/, '')] : [];
  if ([PRODUCT_NAME, ...hosts].some((taken) => visualForm(taken) !== '' && look.includes(visualForm(taken))))
    return 'The name must not be, or resemble, this service’s name.';
  const operators = hosts.flatMap((host) => operatorOf(host) ?? []).map(visualForm);
  if (operators.some((operator) => operator !== '' && (look === operator || words(name).includes(operator))))
    return 'The name must not be, or resemble, that of this service’s operator.';
  const claims = CLAIMS.map(visualForm);
  if (
    MARKS.test(name) ||
    words(name).some((word) => claims.some((claim) => (/^[a-z]+$/.test(claim) ? word === claim : word.includes(claim))))
  )
    return 'The name must not claim to be verified or official, because this service verifies no applications.';
  if (name.split(/[\s\p{P}\p{S}]+/u).some((word) => word !== '' && lookAlike(word)?.kind === 'mixed'))
    return 'A word of the name mixes letters of different alphabets.';
  return null;
}

/** True if a URL has the service's own origin. @param address a valid URL, or empty */
export function isOwnAddress(address: string | null | undefined, own: OwnAddresses | undefined): boolean {
  return (
    own !== undefined && !!address && URL.canParse(address) && new URL(address).origin === new URL(own.baseUrl).origin
  );
}
