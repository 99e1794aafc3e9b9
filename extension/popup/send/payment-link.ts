/**
 * Payment links, read and written as other wallets and shops show them in QR codes: `bitcoin:<address>?sv&amount=<BSV>&label=…`. Read
 * are also `bsv:` and `pay:`, of the same form.
 */

/** Above zero, in satoshis at the finest. */
const LINK_AMOUNT = /^(?=.*[1-9])(?:0|[1-9]\d{0,17})(?:\.\d{1,8})?$/;

/** What a link asks for. `amount` is decimal text in BSV, null where the payer chooses. */
export interface PaymentLink {
  to: string;
  amount: string | null;
}

/**
 * Reads a link (BIP 21): null where the text is none, `other-chain` where one of `bitcoin:` does not say by the parameter `sv` that it
 * is for this chain (addresses of the others look the same), `unreadable` where it asks for what nobody here
 * understands.
 */
export function readPaymentLink(text: string): PaymentLink | 'other-chain' | 'unreadable' | null {
  const [, scheme, rest = ''] = /^(bitcoin|bsv|pay):(.*)$/is.exec(text.trim()) ?? [];
  if (scheme === undefined) return null;
  // Without a recipient, as of BIP 270 (`pay:?r=…`), it is one to ask a server about: unreadable.
  const [, to = '', query = ''] = /^(?:\/\/)?([^?#]*)(?:\?([^#]*))?$/.exec(rest) ?? [];
  const parameters = new URLSearchParams(query);
  if (scheme.toLowerCase() === 'bitcoin' && !parameters.has('sv')) return 'other-chain';
  const amounts = parameters.getAll('amount');
  const [amount = null] = amounts;
  const demands = [...parameters.keys()].some((name) => name.toLowerCase().startsWith('req-')); // BIP 21: refuse what is not understood
  if (to === '' || demands || amounts.length > 1 || (amount !== null && !LINK_AMOUNT.test(amount))) return 'unreadable';
  return { to: decoded(to), amount };
}

/** The link that asks for it, readable by {@link readPaymentLink} and by other wallets of this chain. */
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
