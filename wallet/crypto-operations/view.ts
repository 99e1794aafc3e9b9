import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import type { ShownData, ShownOperation } from '../../protocol/messages/wallet-messages.ts';
import { showData } from '../recipients/describe-script.ts';
import { readOperations, type Operation } from './read.ts';
import { namesIn } from './substitute.ts';
import type { Outcome } from './outcome.ts';
import type { Wallet } from '../platform.ts';

/** Maximum length of displayed text (characters). Operations can't have more data, so the user can read it all. */
const WHOLE = 200_000;

/** Returns all operations in a request with their outcomes so far. */
export function shownOperations(
  wallet: Wallet,
  options: PaymentOptions,
  outcomes: readonly Outcome[],
): ShownOperation[] {
  const onChain = namesIn(options.outputs);
  return readOperations(wallet, options.cryptoOperations ?? []).map((operation, i) => {
    const outcome = outcomes[i] as Outcome;
    const { name, method, data } = operation;
    return {
      name,
      method,
      data: data && showData(data, WHOLE),
      value: shownValue(outcome),
      party: partyOf(operation, outcome),
      onChain: onChain.has(name),
    };
  });
}

/** Returns the value to display; null for signatures and ciphertext, which mean nothing to the user. */
function shownValue({ method, value, valueEncoding }: Outcome): ShownData | null {
  if (value === null || method === 'sign' || method === 'encrypt') return null;
  if (method === 'public-key' || valueEncoding === 'utf8') return showData(new TextEncoder().encode(value), WHOLE);
  return showData(
    valueEncoding === 'hex' ? fromHex(value) : Uint8Array.from(atob(value), (c) => c.charCodeAt(0)),
    WHOLE,
  );
}

/** Returns the party that can decrypt encrypted data, or that made the signature to verify. */
function partyOf({ method, paymail, publicKey }: Operation, outcome: Outcome): ShownOperation['party'] {
  if (method !== 'encrypt' && method !== 'verify') return null;
  if (paymail !== null)
    return {
      kind: 'paymail',
      text: paymail,
      host: outcome.host && new URL(outcome.host).host,
      keyChangedSince: outcome.keyChangedSince ?? null,
    };
  if (publicKey !== null) return { kind: 'key', text: publicKey, host: null, keyChangedSince: null };
  return { kind: 'self', text: outcome.publicKey ?? '', host: null, keyChangedSince: null };
}
