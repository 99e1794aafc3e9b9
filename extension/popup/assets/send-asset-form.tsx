import { useId, useRef, useState } from 'preact/hooks';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import { readTokenDecimal } from '../../../protocol/assets/bsv21/amount.ts';
import { fieldText, typedAmount } from '../../../protocol/money/typed-amount.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { AssetQuote, RecipientHost, WalletParams } from '../../../protocol/messages/wallet-messages.ts';
import { formatUnits, tokenName } from '../../ui/amounts/asset-name.ts';
import { AmountNote } from '../../ui/amounts/amount-note.tsx';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { useShortcut } from '../../ui/window/shortcuts.ts';
import { assetTexts as t } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';
import { contactOf } from '../contacts/use-contacts.ts';
import { PageHead } from '../page-head.tsx';
import { requestedHost, hostProblem, mayChange } from '../send/asked-host.ts';
import { recipientProblem } from '../send/draft.ts';
import { readPaymentLink } from '../send/payment-link.ts';
import { peopleFor } from '../send/people.ts';
import { RecipientField } from '../send/recipient-field.tsx';
import { useErrorInSight } from '../send/use-error-in-sight.ts';
import { usePeople } from '../send/use-people.ts';
import { useQuote } from '../send/use-quote.ts';
import type { OpenAsset } from './open-asset.ts';

/** Delay after typing before the wallet and a recipient's host are queried (milliseconds). */
const PAUSE_MS = 600;

interface SendAssetFormProps {
  asset: OpenAsset;
  network: Network;
  /** Origin of the service that resolves user IDs. */
  serviceUrl: string;
  to: string;
  amount: string;
  onTo: (to: string) => void;
  onAmount: (amount: string) => void;
  /** Called when the form is complete, with the quote to review. */
  onReview: (quote: AssetQuote) => void;
  onBack: () => void;
}

export function requestedAsset(asset: OpenAsset, amount: string): WalletParams<'assets/quote'>['asset'] {
  if (!('token' in asset)) return { ordinal: asset.ordinal.outpoint };
  return { token: asset.token.id, amount: typedAmount(amount, limitsOf(asset.token)) ?? '' };
}

const limitsOf = ({ decimals }: { decimals: number }) => ({ whole: 20, fraction: decimals });

/** Uses only the recipient of a payment link. The link's amount is money, not an asset. */
function recipientIn(text: string): string {
  const link = readPaymentLink(text);
  return link === null || typeof link === 'string' ? text : link.to;
}

export function SendAssetForm(props: SendAssetFormProps) {
  const { asset, network, serviceUrl, amount, onTo, onAmount, onReview, onBack } = props;
  const id = useId();
  const to = props.to.trim();
  const token = 'token' in asset ? asset.token : null;
  const [strict, setStrict] = useState(false);
  const { contacts, recents } = usePeople();
  const [askedAgain, setAskedAgain] = useState(0);
  const asked = requestedHost(to, serviceUrl);
  const isAmount = !token || readTokenDecimal(typedAmount(amount, limitsOf(token)) ?? '', token.decimals) !== null;
  const isComplete = isAmount && recipientProblem(to, network) === undefined;
  const wanted = isComplete ? { asset: requestedAsset(asset, amount), to } : null;
  const live = useQuote(wanted, (one) => call('assets/quote', one), `${askedAgain}`, PAUSE_MS);
  const { quote } = live;
  const code = live.current ? quote?.badRecipient : undefined;
  const found = useRef(new Map<string, RecipientHost>());
  if (quote?.recipient?.host) found.current.set(quote.recipient.to, quote.recipient.host);
  const toProblem =
    recipientProblem(to, network) ??
    (asked ? hostProblem(asked, code, t.noOrdinals) : code === undefined ? undefined : t.noScript);
  const amountProblem = isAmount ? undefined : t.badAmount({ decimals: token?.decimals ?? 0 });
  const wrongAmount = strict ? amountProblem : undefined;
  const sight = useErrorInSight();
  const review = useAction(async () => {
    if (wanted === null) return;
    const fresh = await call('assets/quote', wanted);
    if (fresh.problem) throw new ServiceError(fresh.problem.code, { message: fresh.problem.message });
    if (fresh.badRecipient === undefined) onReview(fresh);
    else setAskedAgain(askedAgain + 1); // The recipient field shows the error.
  });
  useShortcut('confirm', () => sight.form.current?.requestSubmit());
  return (
    <form
      ref={sight.form}
      class="popup-page send arrive"
      noValidate
      onInput={sight.forget}
      onSubmit={(event) => {
        event.preventDefault();
        setStrict(true);
        sight.show();
        if (toProblem === undefined && amountProblem === undefined) void review.run();
      }}
    >
      <PageHead title={t.sendTitle({ name: token ? tokenName(token.symbol) : t.ordinal })} onBack={onBack} />
      <RecipientField
        to={props.to}
        problem={toProblem}
        network={network}
        scan={false}
        focus={false}
        strict={strict}
        asked={asked}
        asking={wanted !== null && !live.current}
        found={code === undefined ? (found.current.get(to) ?? null) : null}
        onAgain={mayChange(code) ? () => setAskedAgain(askedAgain + 1) : null}
        contact={contactOf(to, contacts)?.name ?? null}
        people={peopleFor(props.to, contacts, recents)}
        onContacts={null}
        onTo={(text) => onTo(recipientIn(text))}
      />
      {token && (
        <div class="field">
          <label class="label" for={`${id}-amount`}>
            {t.amount}
          </label>
          <div class="input-group">
            <input
              type="text"
              id={`${id}-amount`}
              class="input send-amount"
              inputMode="decimal"
              autocomplete="off"
              maxLength={40}
              aria-describedby={`${id}-amount-hint ${id}-amount-problem`}
              aria-invalid={wrongAmount !== undefined}
              value={amount}
              onInput={(event) => onAmount(event.currentTarget.value)}
            />
            <button
              type="button"
              class="button button-quiet button-small send-max"
              onClick={() => onAmount(fieldText(token.spendable, limitsOf(token)))}
            >
              {t.max}
            </button>
          </div>
          <p class="hint" id={`${id}-amount-hint`}>
            {t.spendable} <bdi>{formatUnits(token.spendable)}</bdi>
          </p>
          <AmountNote
            id={`${id}-amount-problem`}
            typed={amount}
            currency={tokenName(token.symbol)}
            limits={limitsOf(token)}
            problem={wrongAmount}
            onChoose={onAmount}
          />
        </div>
      )}
      <ErrorNote error={review.error ?? (live.current ? (quote?.problem ?? live.error) : null)} />
      <div class="send-actions">
        <button type="submit" class="button button-primary" data-action="review" aria-busy={review.busy}>
          {review.busy ? t.reviewing : t.review}
        </button>
      </div>
    </form>
  );
}
