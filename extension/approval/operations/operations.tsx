import type { CryptoMethod } from '../../../protocol/payments/payment.ts';
import type { ShownData, ShownOperation } from '../../../protocol/messages/wallet-messages.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { formatBytes, visible } from '../../ui/amounts/format.ts';
import { CheckIcon, CrossIcon, WarningIcon } from '../../ui/controls/icons.tsx';
import { LookAlikeNote } from '../../ui/people/look-alike-note.tsx';
import { KeyChanged } from '../../ui/people/recipient-host.tsx';
import { operationsTexts as t } from '../../ui/texts/texts.ts';
import { isCut, ReadableData } from './readable-data.tsx';

interface OperationsProps {
  operations: ShownOperation[];
  title: string;
  /** True if the operations are part of a payment. The service stores them with the payment. */
  withPayment: boolean;
  locked: boolean;
  /** The user's own paymail. Null if the user has no account, undefined if the view doesn't contain a paymail. */
  paymail?: string | null;
}

/** True for operations that the service stores with the payment: all except encryption and decryption. */
const isRecorded = ({ method }: ShownOperation) => method !== 'encrypt' && method !== 'decrypt';
/** True for decrypted text that becomes public, because it is stored on the chain and by the service. */
const isPublicSecret = ({ method, onChain }: ShownOperation) => method === 'decrypt' && onChain;
/** True if the user's own key is used, in which case the result identifies the key and the paymail. */
const isOwn = ({ method, party }: ShownOperation) =>
  method !== 'verify' && (method !== 'encrypt' || party?.kind === 'self');

/**
 * Describes a site's crypto operations: the signed data, plaintext that the site can read, the recipient of ciphertext,
 * and the data about the user that the site receives. Data and paymails come from the page.
 */
export function Operations({ operations, title, withPayment, locked, paymail }: OperationsProps) {
  return (
    <section aria-labelledby="operations">
      <h2 class="part" id="operations">
        {title}
      </h2>
      <ul class="card card-flush list">
        {operations.map((operation, i) => (
          <Operation key={i} operation={operation} locked={locked} number={operations.length > 1 ? i + 1 : null} />
        ))}
      </ul>
      {operations.some(isOwn) && (
        <p class="small anywhere operations-note" data-part="learns">
          {paymail === undefined
            ? t.learns.unknown
            : paymail === null
              ? t.learns.key
              : t.learns.paymail({ paymail: visible(paymail) })}
        </p>
      )}
      {withPayment && operations.some(isRecorded) && !operations.some(isPublicSecret) && (
        <p class="small muted operations-note">{t.recorded}</p>
      )}
    </section>
  );
}

function Operation({
  operation,
  locked,
  number,
}: {
  operation: ShownOperation;
  locked: boolean;
  number: number | null;
}) {
  const { method, value, onChain } = operation;
  const head = t.heads[method];
  return (
    <li class="operation" data-method={method}>
      <h3 class="operation-head">{number === null ? head : t.numbered({ n: number, what: head })}</h3>
      <Body operation={operation} locked={locked} />
      {onChain && (
        <p
          class={`banner banner-${method === 'decrypt' ? 'danger' : 'warning'} script-alarm small`}
          data-part="on-chain"
        >
          <WarningIcon size={16} />
          <span>
            {t.onChain}
            {locked && value === null && method !== 'encrypt' && ` ${t.standIn}`}
          </span>
        </p>
      )}
    </li>
  );
}

function Body({ operation, locked }: { operation: ShownOperation; locked: boolean }) {
  switch (operation.method) {
    case 'sign':
      return <Sign operation={operation} />;
    case 'decrypt':
      return <Decrypt operation={operation} locked={locked} />;
    case 'encrypt':
      return <Encrypt operation={operation} />;
    case 'verify':
      return <Verify operation={operation} />;
    default:
      return <Reveal operation={operation} method={operation.method} />;
  }
}

function Sign({ operation: { data } }: { operation: ShownOperation }) {
  return (
    <>
      <p class="small">{t.sign}</p>
      {data && <Data data={data} label={t.data.sign} />}
      {data && data.text === null && (
        <p class="warn small" data-part="unreadable">
          <WarningIcon size={16} />
          {t.signUnreadable}
        </p>
      )}
      {data && isCut(data) && (
        <p class="warn small" data-part="cut">
          <WarningIcon size={16} />
          {t.signCut}
        </p>
      )}
    </>
  );
}

function Decrypt({ operation: { data, value }, locked }: { operation: ShownOperation; locked: boolean }) {
  return (
    <>
      <p class="small">{t.decrypt}</p>
      {value && <Data data={value} label={t.data.decrypt} />}
      {!value && locked && (
        <p class="warn small" data-part="hidden">
          <WarningIcon size={16} />
          {t.decryptHidden}
        </p>
      )}
      {value && isCut(value) && (
        <p class="warn small" data-part="cut">
          <WarningIcon size={16} />
          {t.cut}
        </p>
      )}
      {data && (
        <details class="script-source">
          <summary class="small">{t.encrypted({ size: formatBytes(data.bytes) })}</summary>
          <ReadableData data={data} label={t.encrypted({ size: formatBytes(data.bytes) })} />
        </details>
      )}
    </>
  );
}

function Encrypt({ operation: { data, party } }: { operation: ShownOperation }) {
  return (
    <>
      {party && <Party party={party} says={t.encrypt} />}
      {data && <Data data={data} label={t.data.encrypt} />}
      <p class="small muted">{t.encryptKnown}</p>
    </>
  );
}

function Verify({ operation: { data, party, value } }: { operation: ShownOperation }) {
  const right = value === null ? null : value.hex === '01';
  return (
    <>
      {party && <Party party={party} says={t.verify} />}
      {data && <Data data={data} label={t.data.verify} />}
      {right !== null && (
        <p class={`operation-result small ${right ? 'good' : 'warn'}`} data-part="verified">
          {right ? <CheckIcon size={16} /> : <CrossIcon size={16} />}
          {right ? t.verified.right : t.verified.wrong}
        </p>
      )}
    </>
  );
}

function Reveal({
  operation: { value },
  method,
}: {
  operation: ShownOperation;
  method: Exclude<CryptoMethod, 'sign' | 'verify' | 'encrypt' | 'decrypt'>;
}) {
  return (
    <>
      {value && (
        <p class={`anywhere ${method === 'paymail' ? 'recipient-name' : 'mono small'}`} data-part="value">
          <bdi dir="ltr">{visible(value.text ?? value.hex)}</bdi>
        </p>
      )}
      <p class="small">{t.reveals[method]}</p>
    </>
  );
}

/** Isolates a name from the direction of the surrounding text (Unicode Annex 9). */
const inOrder = (name: string) => `\u2066${visible(name)}\u2069`;

/** Shows who can decrypt the ciphertext, or whose signature is verified. */
function Party({
  party: { kind, text, host, keyChangedSince },
  says,
}: {
  party: NonNullable<ShownOperation['party']>;
  says: { self: string; key: string; paymail: (values: { paymail: string }) => string };
}) {
  if (kind === 'paymail') {
    return (
      <>
        <p class="small anywhere" data-part="party">
          {says.paymail({ paymail: inOrder(text) })}
          {host !== null && ` ${t.keyFrom({ host })}`}
        </p>
        <LookAlikeNote name={text} />
        {keyChangedSince !== null && <KeyChanged since={keyChangedSince} />}
      </>
    );
  }
  return (
    <>
      <p class="small" data-part="party">
        {says[kind]}
      </p>
      {kind === 'key' && (
        <p class="mono small anywhere">
          <bdi dir="ltr">{text}</bdi>
        </p>
      )}
    </>
  );
}

/** Shows data and its size. Users can read and copy the data in full. */
function Data({ data, label }: { data: ShownData; label: string }) {
  return (
    <div class="operation-data">
      <div class="row">
        <span class="small muted">
          {label} · {formatBytes(data.bytes)}
        </span>
        {!isCut(data) && <CopyButton text={data.text ?? data.hex} label={t.copyData} short />}
      </div>
      <ReadableData data={data} label={label} />
    </div>
  );
}
