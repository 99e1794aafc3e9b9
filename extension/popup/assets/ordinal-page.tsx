import type { OrdinalView } from '../../../protocol/messages/wallet-messages.ts';
import { visible } from '../../ui/amounts/format.ts';
import { assetTexts as t } from '../../ui/texts/texts.ts';
import { Fact } from '../fact.tsx';
import { PageHead } from '../page-head.tsx';
import { ShownContent, contentPlace } from './asset-content.tsx';

/** Shows an ordinal's content, its output, and its origin as reported by the index. */
export function OrdinalPage({
  ordinal,
  onSend,
  onBack,
}: {
  ordinal: OrdinalView;
  onSend: () => void;
  onBack: () => void;
}) {
  const { outpoint, origin, contentType, canSend, isUnconfirmed } = ordinal;
  return (
    <div class="popup-page assets arrive" data-part="ordinal">
      <PageHead title={t.ordinal} onBack={onBack} />
      <ShownContent outpoint={contentPlace(ordinal)} />
      <dl class="facts small">
        <Fact name={t.type}>{contentType !== '' && <bdi>{visible(contentType)}</bdi>}</Fact>
        <Fact name={t.place} mono>
          <bdi dir="ltr" class="anywhere">
            {outpoint}
          </bdi>
        </Fact>
        <Fact name={t.origin} mono>
          {origin !== null && (
            <bdi dir="ltr" class="anywhere">
              {origin}
            </bdi>
          )}
        </Fact>
      </dl>
      {isUnconfirmed && <p class="small muted">{t.unconfirmed}</p>}
      {!canSend && <p class="small muted">{t.cannotSend}</p>}
      <button
        type="button"
        class="button button-primary button-block"
        data-action="send-asset"
        disabled={!canSend}
        onClick={onSend}
      >
        {t.send}
      </button>
    </div>
  );
}
