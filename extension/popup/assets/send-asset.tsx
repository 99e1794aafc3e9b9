import { useState } from 'preact/hooks';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import type { AssetQuote, SendResult } from '../../../protocol/messages/wallet-messages.ts';
import { assetName } from '../../ui/amounts/asset-name.ts';
import { call } from '../../ui/window/call.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { assetTexts as t, sendTexts } from '../../ui/texts/texts.ts';
import { toWords } from '../../ui/texts/to-words.ts';
import { PageHead } from '../page-head.tsx';
import type { OpenAsset } from './open-asset.ts';
import { ReviewAsset } from './review-asset.tsx';
import { SendAssetForm, requestedAsset } from './send-asset-form.tsx';
import '../send/send.css';

type Step =
  | { at: 'form' }
  | { at: 'review'; quote: AssetQuote; to: string }
  | { at: 'sent'; quote: AssetQuote; result: SendResult };

interface SendAssetProps {
  asset: OpenAsset;
  network: Network;
  /** Origin of the service that resolves user IDs. */
  serviceUrl: string;
  onBack: () => void;
  onDone: () => void;
}

/** Sends an asset: the form, the review, and the result. Going back from the review preserves the input. */
export function SendAsset({ asset, network, serviceUrl, onBack, onDone }: SendAssetProps) {
  const [to, setTo] = useState('');
  const [amount, setAmount] = useState('');
  const [step, setStep] = useState<Step>({ at: 'form' });
  switch (step.at) {
    case 'form':
      return (
        <SendAssetForm
          asset={asset}
          network={network}
          serviceUrl={serviceUrl}
          to={to}
          amount={amount}
          onTo={setTo}
          onAmount={setAmount}
          onBack={onBack}
          onReview={(quote) => setStep({ at: 'review', quote, to: to.trim() })}
        />
      );
    case 'review':
      return (
        <ReviewAsset
          quote={step.quote}
          to={step.to}
          again={() => call('assets/quote', { asset: requestedAsset(asset, amount), to: step.to })}
          onBack={() => setStep({ at: 'form' })}
          onSent={(result, sent) => setStep({ at: 'sent', quote: sent, result })}
        />
      );
    case 'sent':
      return <Sent quote={step.quote} result={step.result} onDone={onDone} />;
  }
}

function Sent({ quote, result, onDone }: { quote: AssetQuote; result: SendResult; onDone: () => void }) {
  return (
    <section class="popup-page send arrive" data-part="sent">
      <PageHead title={result.taken ? t.sentTitle : t.waitingTitle} />
      <p class="amount amount-large assets-large">{quote.asset && assetName(quote.asset)}</p>
      {quote.recipient && (
        <p class="anywhere" data-part="paid-to" dir="auto">
          {toWords([quote.recipient])}
        </p>
      )}
      <p class={result.taken ? 'muted' : 'banner'}>{result.taken ? t.sentText : t.waitingText}</p>
      <dl class="facts small">
        <dt>{t.transaction}</dt>
        <dd class="mono" data-part="txid">
          {result.txid}
        </dd>
      </dl>
      <div>
        <CopyButton text={result.txid} label={sendTexts.copyTransaction} />
      </div>
      <button type="button" class="button button-primary button-block" data-action="done" onClick={onDone}>
        {t.done}
      </button>
    </section>
  );
}
