/** Turns what a page asks for into scripts and satoshis: recipients by their kind, amounts at the rate of this moment. */
import { addressScript, type Network } from '../../../protocol/address.ts';
import { isDataScript, parseScript } from '../../../protocol/asm.ts';
import { toHex } from '../../../protocol/bytes.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import { addDecimals, toSatoshis } from '../../../protocol/money.ts';
import type { RecipientKind, RequestedOutput } from '../../../protocol/payment.ts';
import { recipientKind } from '../../../protocol/recipient.ts';
import type { Quote, ResolvedOutput } from '../payment/record.ts';

/** The kind and text of a recipient. */
interface Recipient {
  type: RecipientKind;
  text: string;
}

function recipientOf(output: RequestedOutput): Recipient {
  if (output.paymail !== undefined) return { type: 'PAYMAIL', text: output.paymail };
  if (output.userId !== undefined) return { type: 'USER', text: output.userId };
  if (output.address !== undefined) return { type: 'ADDRESS', text: output.address };
  if (output.script !== undefined) return { type: 'SCRIPT', text: output.script };
  const type = recipientKind(output.to ?? '');
  if (!type) throw new ServiceError('invalid-recipient');
  return { type, text: output.to ?? '' };
}

/** A script given as ASM, or as the hex of its bytes where it was named a script. */
function scriptBytes(text: string): Uint8Array {
  const script = parseScript(text);
  if (!script) throw new ServiceError('invalid-recipient');
  if (isDataScript(script)) {
    throw new ServiceError('invalid-recipient', { message: 'A data script cannot be paid: nobody could ever spend it.' });
  }
  return script;
}

function resolveScripts(recipient: Recipient, satoshis: bigint, network: Network): ResolvedOutput['scripts'] {
  switch (recipient.type) {
    case 'ADDRESS':
      return [{ script: toHex(addressScript(recipient.text, network)), satoshis }];
    case 'SCRIPT':
      return [{ script: toHex(scriptBytes(recipient.text)), satoshis }];
    default:
      throw new ServiceError('unsupported-recipient');
  }
}

/**
 * Resolves outputs.
 * @param priceOf what one BSV costs in a currency now, decimal text
 * @throws ServiceError `invalid-recipient`, `unsupported-recipient`, `invalid-amount`, `amount-too-small`,
 *   `mixed-currencies`, `invalid-currency`, `rate-unavailable`
 */
export async function resolveOutputs(
  outputs: readonly RequestedOutput[],
  network: Network,
  priceOf: (currency: string) => Promise<string>,
): Promise<Quote> {
  const currency = outputs[0]?.currency ?? '';
  if (outputs.some((output) => output.currency !== currency)) throw new ServiceError('mixed-currencies');
  const recipients = outputs.map(recipientOf);
  const price = await priceOf(currency);
  const resolved = outputs.map(({ amount }, i): ResolvedOutput => {
    const recipient = recipients[i] as Recipient;
    const satoshis = toSatoshis(amount, price);
    const { type, text } = recipient;
    return {
      type,
      to: text,
      paymail: type === 'PAYMAIL' ? text : null,
      userId: type === 'USER' ? text : null,
      address: type === 'ADDRESS' ? text : null,
      script: type === 'SCRIPT' ? text : null,
      amount,
      currency,
      satoshis: satoshis.toString(),
      scripts: resolveScripts(recipient, satoshis, network),
    };
  });
  const satoshis = resolved.reduce((sum, output) => sum + BigInt(output.satoshis), 0n);
  return { outputs: resolved, amount: addDecimals(outputs.map((o) => o.amount)), currency, satoshis };
}
