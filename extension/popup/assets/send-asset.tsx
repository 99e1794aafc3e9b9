import { useId, useState } from 'preact/hooks';
import type { Network } from '../../../protocol/address.ts';
import { readTokenDecimal } from '../../../protocol/bsv21/amount.ts';
import { recipientKind } from '../../../protocol/recipient.ts';
import type { AssetQuote, SendResult, WalletParams } from '../../../protocol/wallet-messages.ts';
import { call } from '../../ui/call.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { assetTexts as t } from '../../ui/texts-assets.ts';
import { useAction } from '../../ui/use-action.ts';
import { PageHead } from '../page-head.tsx';
import { recipientProblem } from '../send/draft.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import { assetName, formatUnits, tokenName } from '../../ui/asset-name.ts';
import type { OpenAsset } from './open-asset.ts';
import { ReviewAsset } from './review-asset.tsx';
import '../send/send.css';

type Step =
  | { at: 'form' }
  | { at: 'review'; quote: AssetQuote; to: string }
  | { at: 'sent'; quote: AssetQuote; result: SendResult };

interface SendAssetProps {
  asset: OpenAsset;
  network: Network;
  onBack: () => void;
  onDone: () => void;
}

/** Sending an asset: the form, the review, and the result. Going back from the review keeps what was typed. */
export function SendAsset({ asset, network, onBack, onDone }: SendAssetProps) {
  const [to, setTo] = useState('');
  const [amount, setAmount] = useState('');
  const [step, setStep] = useState<Step>({ at: 'form' });
  const quote = (wanted: string) => call('assets/quote', { asset: wantedOf(asset, amount), to: wanted });
  switch (step.at) {
    case 'form':
      return (
        <Form
          asset={asset}
          network={network}
          to={to}
          amount={amount}
          onTo={setTo}
          onAmount={setAmount}
          onBack={onBack}
          onReview={async () => {
            const fresh = await quote(to.trim());
            if (fresh.problem) throw new ServiceError(fresh.problem.code, { message: fresh.problem.message });
            setStep({ at: 'review', quote: fresh, to: to.trim() });
          }}
        />
      );
    case 'review':
      return (
        <ReviewAsset
          quote={step.quote}
          to={step.to}
          again={() => quote(step.to)}
          onBack={() => setStep({ at: 'form' })}
          onSent={(result, sent) => setStep({ at: 'sent', quote: sent, result })}
        />
      );
    case 'sent':
      return <Sent quote={step.quote} result={step.result} onDone={onDone} />;
  }
}

function wantedOf(asset: OpenAsset, amount: string): WalletParams<'assets/quote'>['asset'] {
  return 'token' in asset ? { token: asset.token.id, amount: plain(amount) } : { ordinal: asset.ordinal.outpoint };
}

/** A comma counts as the point where two digits at most follow, as in the form for money. */
const plain = (typed: string) => typed.trim().replace(/^(\d+),(\d{1,2})$/, '$1.$2');

interface FormProps extends Omit<SendAssetProps, 'onDone'> {
  to: string;
  amount: string;
  onTo: (to: string) => void;
  onAmount: (amount: string) => void;
  onReview: () => Promise<void>;
}

function Form({ asset, network, to, amount, onTo, onAmount, onReview, onBack }: FormProps) {
  const id = useId();
  const [strict, setStrict] = useState(false);
  const review = useAction(onReview);
  const token = 'token' in asset ? asset.token : null;
  const toProblem = recipientProblem(to.trim(), network) ?? notAddress(to.trim());
  const amountProblem =
    token && readTokenDecimal(plain(amount), token.decimals) === null ? t.badAmount(token.decimals) : undefined;
  useShortcut('confirm', () => void submit());
  async function submit(): Promise<void> {
    setStrict(true);
    if (toProblem === undefined && amountProblem === undefined) await review.run();
  }
  const problem = (of: 'to' | 'amount', text: string | undefined) =>
    strict && text !== undefined ? (
      <p class="field-error" role="alert" id={`${id}-${of}-problem`}>
        {text}
      </p>
    ) : null;
  return (
    <form
      class="popup-page send arrive"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <PageHead title={t.sendTitle(token ? tokenName(token.symbol) : t.ordinal)} onBack={onBack} />
      <div class="field">
        <label class="label" for={`${id}-to`}>
          {t.to}
        </label>
        <textarea
          id={`${id}-to`}
          class="input mono send-to"
          rows={2}
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
          aria-describedby={`${id}-to-hint ${id}-to-problem`}
          aria-invalid={strict && toProblem !== undefined}
          value={to}
          onInput={(event) => onTo(event.currentTarget.value)}
        />
        <p class="hint" id={`${id}-to-hint`}>
          {t.toHint}
        </p>
        {problem('to', toProblem)}
      </div>
      {token && (
        <div class="field">
          <label class="label" for={`${id}-amount`}>
            {t.amount}
          </label>
          <div class="input-group">
            <input
              id={`${id}-amount`}
              class="input send-amount"
              inputMode="decimal"
              autocomplete="off"
              maxLength={40}
              aria-describedby={`${id}-amount-hint ${id}-amount-problem`}
              aria-invalid={strict && amountProblem !== undefined}
              value={amount}
              onInput={(event) => onAmount(event.currentTarget.value)}
            />
            <button
              type="button"
              class="button button-quiet button-small send-max"
              onClick={() => onAmount(token.spendable)}
            >
              {t.max}
            </button>
          </div>
          <p class="hint" id={`${id}-amount-hint`}>
            {t.spendable} <bdi>{formatUnits(token.spendable)}</bdi>
          </p>
          {problem('amount', amountProblem)}
        </div>
      )}
      <ErrorNote error={review.error} />
      <div class="send-actions">
        <button class="button button-primary" data-action="review" aria-busy={review.busy}>
          {review.busy ? t.reviewing : t.review}
        </button>
      </div>
    </form>
  );
}

const notAddress = (to: string) => (recipientKind(to) === 'ADDRESS' ? undefined : t.onlyAddress);

function Sent({ quote, result, onDone }: { quote: AssetQuote; result: SendResult; onDone: () => void }) {
  return (
    <section class="popup-page send arrive" data-part="sent">
      <PageHead title={result.taken ? t.sentTitle : t.waitingTitle} />
      <p class="amount amount-large assets-large">{quote.asset && assetName(quote.asset)}</p>
      <p class={result.taken ? 'muted' : 'banner'}>{result.taken ? t.sentText : t.waitingText}</p>
      <dl class="facts small">
        <dt>{t.transaction}</dt>
        <dd class="mono" data-part="txid">
          {result.txid}
        </dd>
      </dl>
      <div>
        <CopyButton text={result.txid} label={t.transaction} />
      </div>
      <button type="button" class="button button-primary button-block" data-action="done" onClick={onDone}>
        {t.done}
      </button>
    </section>
  );
}
