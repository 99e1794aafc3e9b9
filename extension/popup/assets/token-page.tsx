import type { TokenView } from '../../../protocol/messages/wallet-messages.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { assetTexts as t } from '../../ui/texts/texts.ts';
import { Fact } from '../fact.tsx';
import { PageHead } from '../page-head.tsx';
import { AssetPicture } from './asset-content.tsx';
import { formatUnits, tokenName } from '../../ui/amounts/asset-name.ts';

/** Shows a token's balance and properties, and the source of each. */
export function TokenPage({ token, onSend, onBack }: { token: TokenView; onSend: () => void; onBack: () => void }) {
  const { id, symbol, amount, spendable, supply, word, isUnconfirmed, icon } = token;
  return (
    <div class="popup-page assets arrive" data-part="token">
      <PageHead title={tokenName(symbol)} onBack={onBack} />
      <div class="assets-head">
        <AssetPicture outpoint={icon} />
        <p class="amount amount-large assets-large">{formatUnits(amount)}</p>
      </div>
      <dl class="facts small">
        <Fact name={t.spendable}>{spendable !== amount && formatUnits(spendable)}</Fact>
        <Fact name={t.supply}>{supply !== null && formatUnits(supply)}</Fact>
        <Fact name={t.checked}>{word === 'chain' ? t.byWallet : t.byIndex}</Fact>
        <Fact name={t.id} mono>
          <bdi dir="ltr" class="anywhere">
            {id}
          </bdi>
        </Fact>
      </dl>
      {isUnconfirmed && <p class="small muted">{t.unconfirmed}</p>}
      <p class="small muted">{t.names}</p>
      <CopyButton text={id} label={t.copyId} />
      <button
        type="button"
        class="button button-primary button-block"
        data-action="send-asset"
        disabled={spendable === '0'}
        onClick={onSend}
      >
        {t.send}
      </button>
    </div>
  );
}
