import type { Network } from '../../../protocol/bitcoin/address.ts';
import { METADATA, METADATA_NAMES } from '../../../protocol/payments/metadata.ts';
import type { ActivityDetails, ActivityItem, Rate, SentAsset } from '../../../protocol/messages/wallet-messages.ts';
import { InlineAmount } from '../../ui/amounts/amount.tsx';
import { assetName } from '../../ui/amounts/asset-name.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import {
  formatAmount,
  formatBytes,
  formatCount,
  formatFiat,
  formatMoney,
  formatSatoshis,
  formatTime,
  visible,
} from '../../ui/amounts/format.ts';
import { RateAge } from '../../ui/amounts/rate-age.tsx';
import { quoted } from '../../ui/controls/quoted.ts';
import { errorText } from '../../ui/error-text.ts';
import { activityTexts as t, approvalTexts, assetTexts, texts } from '../../ui/texts/texts.ts';
import { isPaid } from './activity-face.ts';
import { CancelPayment } from './activity-cancel.tsx';
import { EndPayment } from './activity-end.tsx';
import { Deliveries } from './activity-deliveries.tsx';
import { UserNote } from './activity-note.tsx';
import { Operations } from './activity-operations.tsx';
import { Fact } from '../fact.tsx';
import { unpaidWord } from './activity-unpaid.ts';
import { Recipients } from './activity-recipients.tsx';
import { Sender } from './activity-sender.tsx';
import { LONG_SHOWN, LongText } from '../long-text.tsx';

/** Base URLs of the public block explorer's transaction pages. Null if the network isn't public. */
const EXPLORERS: Record<Network, string | null> = {
  mainnet: 'https://whatsonchain.com/tx/',
  testnet: 'https://test.whatsonchain.com/tx/',
  devnet: null,
};

/** Shows the state, parties, amounts and records of a payment or receipt. `onChanged` is called after a change. */
export function Facts({
  details,
  rate,
  network,
  onChanged,
}: {
  details: ActivityDetails;
  rate: Rate | null;
  network: Network;
  onChanged: () => void;
}) {
  const { item, height, outputs, data, decided, report, serviceReport, deliveries, operations } = details;
  const explorer = EXPLORERS[network];
  const isMoney = item.asset === undefined && item.tokenClaim === undefined;
  return (
    <>
      <dl class="facts small">
        <Fact name={t.state}>
          <Meaning details={details} />
          {typeof details.cancelFee === 'string' && (
            <CancelPayment id={item.id} fee={details.cancelFee} rate={rate} onCancelled={onChanged} />
          )}
          {details.canEnd && <EndPayment id={item.id} onEnded={onChanged} />}
        </Fact>
        <Fact name={t.reason}>{reasonOf(item)}</Fact>
        <Fact name={t.site}>
          {item.origin !== null ? (
            <bdi>{visible(item.origin)}</bdi>
          ) : (
            item.direction === 'sent' && (item.isFromChain && !item.isFromService ? t.fromChain : t.fromWallet)
          )}
        </Fact>
        <Fact name={t.source}>{item.isFromService && t.fromService}</Fact>
        <Fact name={t.sender}>
          {item.sender && <Sender sender={item.sender} contact={item.contact} onSaved={onChanged} />}
        </Fact>
        <Fact name={t.note}>
          {item.direction === 'sent' && !item.isFromChain ? (
            <UserNote id={item.id} note={item.note ?? ''} onChanged={onChanged} />
          ) : (
            item.note !== null && item.note !== '' && <LongText text={item.note} label={t.note} />
          )}
        </Fact>
        {item.direction === 'sent' ? (
          <Fact name={item.asset?.type === 'mint' ? t.at : t.to}>
            {outputs.length > 0 && (
              <Recipients
                outputs={outputs}
                asset={item.asset}
                more={item.recipientCount - outputs.length}
                paid={isPaid(item)}
                onSaved={onChanged}
              />
            )}
          </Fact>
        ) : (
          <Fact name={t.at} mono>
            {item.counterparty}
          </Fact>
        )}
        {item.asset === undefined && item.amount !== null && item.currency !== null && (
          <Fact name={t.asked}>
            <span class="amount">{formatAmount(item.amount, item.currency)}</span>
          </Fact>
        )}
        <Fact name={t.amount}>
          {item.isUnverified ? (
            t.unverifiedText
          ) : item.tokenClaim ? (
            <>
              <span class={item.tokenClaim === 'forged' ? 'activity-forged' : 'activity-unsure'}>
                {assetTexts.claims[item.tokenClaim]}.
              </span>{' '}
              <span class="muted">{assetTexts.claimMeans[item.tokenClaim]}</span>
            </>
          ) : (
            <span class={item.asset ? 'anywhere' : 'amount'}>
              {item.asset ? assetName(item.asset) : formatSatoshis(BigInt(item.satoshis))}
            </span>
          )}
        </Fact>
        <Fact name={assetTexts.checked}>
          {item.assetWord && (item.assetWord === 'chain' ? assetTexts.byWallet : assetTexts.byIndex)}
        </Fact>
        <Fact name={assetTexts.id} mono>
          {item.asset && (
            <bdi dir="ltr" class="anywhere">
              {assetIdOf(item.asset, item.txid)}
            </bdi>
          )}
        </Fact>
        <Fact name={t.valueThen}>
          {isMoney && (item.amount === null || item.currency === 'BSV') && !item.isUnverified && (
            <ValueThen item={item} />
          )}
        </Fact>
        {rate !== null && !item.isUnverified && isMoney && (
          <Fact name={t.today}>
            <span class="amount">{formatMoney(BigInt(item.satoshis), rate)}</span>
            <RateAge rate={rate} />
          </Fact>
        )}
        {item.feeSatoshis !== null ? (
          <Fact name={t.fee}>
            <InlineAmount satoshis={BigInt(item.feeSatoshis)} rate={rate} />
          </Fact>
        ) : (
          item.isFromChain && <Fact name={t.fee}>{t.unknown}</Fact>
        )}
        <Fact name={t.when}>{item.isTimeUnknown ? t.unknown : formatTime(item.time)}</Fact>
        <Fact name={t.decided}>{decided && decidedText(details, decided)}</Fact>
        <Fact name={t.data}>{data && <Data data={data} />}</Fact>
        <Fact name={t.client}>
          {details.clientIdentifier !== null && t.clientNote({ name: visible(details.clientIdentifier) })}
        </Fact>
        <Fact name={t.labels}>
          {details.labels !== undefined && details.labels.length > 0 && details.labels.map(visible).join(', ')}
        </Fact>
        <Fact name={approvalTexts.brought}>
          {details.brought !== undefined && <InlineAmount satoshis={BigInt(details.brought)} rate={rate} />}
        </Fact>
        {METADATA_NAMES.map((name) => (
          <Fact key={name} name={t[name]}>
            {details[name] !== null &&
              (METADATA[name] > LONG_SHOWN ? (
                <LongText text={details[name]} label={t[name]} />
              ) : name === 'label' ? (
                quoted(details[name])
              ) : (
                visible(details[name])
              ))}
          </Fact>
        ))}
        <Fact name={t.refunded}>
          {details.refunds.length > 0 && (
            <InlineAmount satoshis={details.refunds.reduce((sum, one) => sum + BigInt(one.satoshis), 0n)} rate={rate} />
          )}
        </Fact>
        <Fact name={t.refundNote}>{refundNote(item, details)}</Fact>
        <Fact name={t.refundOf}>{item.refundOf && <span class="mono">{item.refundOf.id}</span>}</Fact>
        <Fact name={t.block}>{height !== null && <span class="amount">{formatCount(height)}</span>}</Fact>
        <Fact name={t.handedTo}>{deliveries.length > 0 && <Deliveries deliveries={deliveries} />}</Fact>
        <Fact name={t.operations}>{operations.length > 0 && <Operations operations={operations} />}</Fact>
        <Fact name={t.service}>{report && t.reports[report]}</Fact>
        <Fact name={t.service}>
          {serviceReport && (
            <>
              <bdi class="mono">{serviceReport.host}</bdi>: {t.reports[serviceReport.state]}
            </>
          )}
        </Fact>
        <Fact name={t.payment} mono>
          {item.direction === 'sent' && !item.isFromChain && item.id}
        </Fact>
        <Fact name={t.transaction} mono>
          {item.txid}
        </Fact>
      </dl>
      <div class="cluster">
        {item.txid !== null && <CopyButton text={item.txid} label={t.copyTransaction} />}
        {item.direction === 'sent' && !item.isFromChain && <CopyButton text={item.id} label={t.copyPayment} />}
      </div>
      {item.txid !== null && explorer !== null && (
        <p class="small">
          <a class="link" href={explorer + item.txid} target="_blank" rel="noopener noreferrer">
            {t.explorer}
          </a>
          <span class="hint activity-care">{t.explorerCare}</span>
        </p>
      )}
    </>
  );
}

/** Returns an ordinal's output, or a token's ID. A new token's ID is its mint's first output. */
function assetIdOf(asset: SentAsset, txid: string | null): string | null {
  if (asset.type === 'ordinal') return asset.outpoint;
  return asset.type === 'token' ? asset.id : txid && `${txid}_0`;
}

function ValueThen({ item: { satoshis, priceThen, worthThen } }: { item: ActivityItem }) {
  if (priceThen) return <span class="amount">{formatFiat(BigInt(satoshis), priceThen)}</span>;
  if (!worthThen) return t.unknown;
  return (
    <>
      <span class="amount">{formatAmount(worthThen.amount, worthThen.currency)}</span>{' '}
      <span class="muted">{t.byService}</span>
    </>
  );
}

/** Returns a note on whether the payment's refunds are confirmed, or null if there are no refunds. */
function refundNote({ refundOf }: ActivityItem, { refunds }: ActivityDetails): string | null {
  const all = [...(refundOf ? [refundOf] : []), ...refunds];
  if (all.length === 0) return null;
  return all.every(({ isConfirmed }) => isConfirmed) ? t.refundConfirmed : t.refundDoubt;
}

function reasonOf({ failure, statusCode, statusDescription }: ActivityItem): string | null {
  if (failure) return t.failures[failure];
  return statusCode && statusDescription !== null
    ? errorText({ code: statusCode, message: statusDescription })
    : statusDescription;
}

/** Shows the payment's state in a word or two, followed by an explanation. */
function Meaning({ details: { item, signed, canEnd, brought } }: { details: ActivityDetails }) {
  const { status, direction, trouble, statusCode, failure, tokenClaim } = item;
  const {
    lost,
    approved,
    signed: onItsWay,
    sentOut,
    receivedOut,
    notReceived,
    confirmed,
    confirmedOut,
    failed,
  } = t.meaning;
  const usual = {
    PENDING: signed ? onItsWay : approved,
    // An unverified token can't be sent.
    RECEIVED: direction === 'sent' || tokenClaim !== undefined ? sentOut : receivedOut,
    COMPLETED: direction === 'sent' ? confirmedOut : confirmed,
    FAILED: failure ? notReceived : failed,
  }[status];
  const ofTrouble = canEnd && brought !== undefined ? t.theirs : trouble && t.troubles[trouble];
  const meaning = ofTrouble ?? (statusCode === 'payment-lost' ? lost : usual);
  return (
    <>
      {trouble ? t.badges[trouble] : (unpaidWord(item) ?? texts.statuses[status])}. <span class="muted">{meaning}</span>
    </>
  );
}

/** Returns how the payment was approved: by the user, a swipe or an allowance. */
function decidedText({ debit }: ActivityDetails, decided: 'by-hand' | 'allowance' | 'swipe'): string {
  if (decided === 'by-hand') return t.byHand;
  if (decided === 'swipe')
    return debit ? t.bySwipeTook({ amount: formatAmount(debit.amount, debit.currency) }) : t.bySwipe;
  return debit ? t.fromAllowanceTook({ amount: formatAmount(debit.amount, debit.currency) }) : t.fromAllowance;
}

function Data({ data }: { data: NonNullable<ActivityDetails['data']> }) {
  return (
    <>
      <LongText text={data.text ?? data.hex} label={t.data} mono={data.text === null} />
      <span class="muted">{formatBytes(data.bytes)}</span>
    </>
  );
}
