/**
 * Parses and creates payment links, as used in QR codes from other wallets and shops:
 * `bitcoin:<address>?sv&amount=<BSV>&label=…`. Also parses `bsv:` and `pay:`.
 */

/** A positive amount in BSV, with at most eight decimals. */
const LINK_AMOUNT = /^(?=.*[1-9])(?:0|[1-9]\d{0,17})(?:\.\d{1,8})?$/;

/** A link's request. `amount` is a decimal string in BSV, or null if the payer chooses the amount. */
export interface PaymentLink {
  to: string;
  amount: string | null;
}

/**
 * Parses a link (BIP 21). Null if the text isn't a link, `other-chain` if a `bitcoin:` link lacks the `sv` parameter,
 * which identifies BSV, and `unreadable` if it has an unknown required parameter.
 */
export function readPaymentLink(text: string): PaymentLink | 'other-chain' | 'unreadable' | null {
  const [, scheme, rest = ''] = /^(bitcoin|bsv|pay):(.*)$/is.exec(text.trim()) ?? [];
  if (scheme === undefined) return null;
  // A link without a recipient, as in BIP 270 (`pay:?r=…`), would need a request to a server, so it is unreadable.
  const [, to = '', query = ''] = /^(?:\/\/)?([^?#]*)(?:\?([^#]*))?$/.exec(rest) ?? [];
  const parameters = new URLSearchParams(query);
  if (scheme.toLowerCase() === 'bitcoin' && !parameters.has('sv')) return 'other-chain';
  const amounts = parameters.getAll('amount');
  const [amount = null] = amounts;
  // A link with an unknown required parameter is invalid (BIP 21).
  const demands = [...parameters.keys()].some((name) => name.toLowerCase().startsWith('req-'));
  if (to === '' || demands || amounts.length > 1 || (amount !== null && !LINK_AMOUNT.test(amount))) return 'unreadable';
  return { to: decoded(to), amount };
}

/** Creates a link for a request, which {@link readPaymentLink} and other BSV wallets can parse. */
export function writePaymentLink({ to, amount }: PaymentLink): string {
  return `bitcoin:${encodeURIComponent(to).replaceAll('%40', '@')}?sv${amount === null ? '' : `&amount=${amount}`}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
