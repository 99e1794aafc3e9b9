/**
 * Payment links as in QR codes of other wallets and shops: `bitcoin:<address>?sv&amount=<BSV>&label=…`. Also reads
 * `bsv:` and `pay:`.
 */

/** Positive, with at most eight decimals (satoshis). */
const LINK_AMOUNT = /^(?=.*[1-9])(?:0|[1-9]\d{0,17})(?:\.\d{1,8})?$/;

/** The request of a link. `amount` is decimal text in BSV, null if the payer chooses. */
export interface PaymentLink {
  to: string;
  amount: string | null;
}

/**
 * Reads a link (BIP 21). Null if the text isn't one, `other-chain` if a `bitcoin:` link lacks the parameter `sv` for
 * this chain, `unreadable` if it requires something unknown.
 */
export function readPaymentLink(text: string): PaymentLink | 'other-chain' | 'unreadable' | null {
  const [, scheme, rest = ''] = /^(bitcoin|bsv|pay):(.*)$/is.exec(text.trim()) ?? [];
  if (scheme === undefined) return null;
  // Without a recipient, as in BIP 270 (`pay:?r=…`), a server would have to be queried, so it is unreadable.
  const [, to = '', query = ''] = /^(?:\/\/)?([^?#]*)(?:\?([^#]*))?$/.exec(rest) ?? [];
  const parameters = new URLSearchParams(query);
  if (scheme.toLowerCase() === 'bitcoin' && !parameters.has('sv')) return 'other-chain';
  const amounts = parameters.getAll('amount');
  const [amount = null] = amounts;
  const demands = [...parameters.keys()].some((name) => name.toLowerCase().startsWith('req-')); // BIP 21: unknown required parameters make a link invalid
  if (to === '' || demands || amounts.length > 1 || (amount !== null && !LINK_AMOUNT.test(amount))) return 'unreadable';
  return { to: decoded(to), amount };
}

/** The link for a request, readable by {@link readPaymentLink} and by other wallets of this chain. */
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
