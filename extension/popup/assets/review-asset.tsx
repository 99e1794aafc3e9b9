import { useMemo, useState } from 'preact/hooks';
import { meaningOf, ServiceError } from '../../../protocol/errors/service-error.ts';
import type { AssetQuote, SendResult, HeldAsset, WalletParams } from '../../../protocol/messages/wallet-messages.ts';
import { FeeAmount } from '../../ui/amounts/amount.tsx';
import { call } from '../../ui/window/call.ts';
import { visible } from '../../ui/amounts/format.ts';
import { useShortcut } from '../../ui/window/shortcuts.ts';
import { assetTexts as t } from '../../ui/texts/texts.ts';
import { asServiceError, useAction } from '../../ui/window/use-action.ts';
import { useGuard } from '../../ui/window/use-guard.ts';
import { Fact } from '../fact.tsx';
import { PageHead } from '../page-head.tsx';
import { AssetRecipient } from '../send/paid-recipients.tsx';
import { ReviewActions } from '../send/review-actions.tsx';
import { assetName } from '../../ui/amounts/asset-name.ts';

interface ReviewAssetProps {
  quote: AssetQuote;
  to: string;
  again: () => Promise<AssetQuote>;
  onSent: (result: SendResult, quote: AssetQuote) => void;
  onBack: () => void;
}

/** Shows the review before an asset is sent: asset, amount, recipient, and the button to send it. */
export function ReviewAsset({ quote: first, to, again, onSent, onBack }: ReviewAssetProps) {
  const [quote, setQuote] = useState(first);
  const [changed, setChanged] = useState(false);
  // One ID per quote, so repeated requests don't pay twice. A new quote is a new payment.
  const requestId = useMemo(() => crypto.randomUUID(), [quote]);
  const guard = useGuard(JSON.stringify([quote.asset, quote.recipient, quote.feeSatoshis]));
  const asset = quote.asset as HeldAsset;
  const send = useAction(async () => {
    if (!guard.ready()) {
      guard.restart();
      throw new ServiceError('too-soon');
    }
    try {
      const feeSatoshis = quote.feeSatoshis ?? '0';
      onSent(await call('assets/send', { requestId, asset: wantedOf(asset), to, feeSatoshis }), quote);
    } catch (cause) {
      const error = asServiceError(cause);
      if (!meaningOf(error.code).quoteAgain) throw error;
      const fresh = await again();
      const code = fresh.problem?.code ?? fresh.badRecipient;
      if (code !== undefined) throw new ServiceError(code);
      setQuote(fresh);
      setChanged(true);
    }
  });
  useShortcut('confirm', () => void send.run());
  return (
    <section class="popup-page send arrive" data-part="review-asset">
      <PageHead title={t.checkTitle} onBack={onBack} />
      <p class="muted">{t.checkText}</p>
      <p class="amount amount-large assets-large" data-part="asset">
        {assetName(asset)}
      </p>
      {quote.recipient && <AssetRecipient output={quote.recipient} />}
      <dl class="facts send-cost">
        <Fact name={t.type}>{asset.type === 'ordinal' && asset.contentType !== '' && visible(asset.contentType)}</Fact>
        <Fact name={asset.type === 'token' ? t.id : t.place} mono>
          <bdi dir="ltr" class="anywhere">
            {asset.type === 'token' ? asset.id : asset.outpoint}
          </bdi>
        </Fact>
        <Fact name={t.fee}>
          <span data-part="fee">
            <FeeAmount satoshis={BigInt(quote.feeSatoshis ?? 0)} rate={quote.rate} />
          </span>
        </Fact>
      </dl>
      <ReviewActions
        send={send}
        changed={changed}
        label={t.pay({ name: assetName(asset) })}
        texts={t}
        onBack={onBack}
      />
    </section>
  );
}

function wantedOf(asset: HeldAsset): WalletParams<'assets/send'>['asset'] {
  return asset.type === 'token' ? { token: asset.id, units: asset.units } : { ordinal: asset.outpoint };
}
