import type { OperationNote } from '../../../protocol/messages/wallet-messages.ts';
import { visible } from '../../ui/amounts/format.ts';
import { activityTexts } from '../../ui/texts/texts.ts';
import { LongText } from '../long-text.tsx';

/** Explains what the site can do with the results that it received (signatures, plaintext and keys). */
export function Operations({ operations }: { operations: readonly OperationNote[] }) {
  return (
    <ul class="stack stack-tight">
      {operations.map((operation) => {
        const text = textOf(operation);
        return (
          <li key={operation.id} data-operation={operation.method}>
            <p>{whatOf(operation)}</p>
            {text !== null && <LongText {...text} label={whatOf(operation)} />}
            {operation.method === 'decrypt' && text === null && <p class="hint">{activityTexts.notKept}</p>}
          </li>
        );
      })}
    </ul>
  );
}

function whatOf({ method, verified, paymail }: OperationNote): string {
  const t = activityTexts.gotten;
  switch (method) {
    case 'verify':
      return verified ? t.signatureRight : t.signatureWrong;
    case 'encrypt':
      return paymail !== null ? t.encryptedFor({ reader: visible(paymail) }) : t.encryptedKey;
    default:
      return t[method];
  }
}

/** Returns an operation's readable data: signed text and results, but no ciphertext. */
function textOf({
  method,
  data,
  dataEncoding,
  value,
  valueEncoding,
  paymail,
  publicKey,
}: OperationNote): { text: string; mono: boolean } | null {
  switch (method) {
    case 'sign':
    case 'verify':
      return data === null ? null : { text: data, mono: dataEncoding === 'hex' };
    case 'encrypt':
      return paymail !== null || publicKey === null ? null : { text: publicKey, mono: true };
    default:
      return value === null
        ? null
        : { text: value, mono: method === 'decrypt' ? valueEncoding !== 'utf8' : method !== 'paymail' };
  }
}
