import type { ApprovalView } from '../../../protocol/messages/wallet-messages.ts';
import { tokenAmountText } from '../../ui/amounts/asset-name.ts';
import { visible } from '../../ui/amounts/format.ts';
import { WarningIcon } from '../../ui/controls/icons.tsx';
import { assetTexts as t } from '../../ui/texts/texts.ts';

/** Isolates a name from the direction of the surrounding text. */
const kept = (name: string) => `\u2066${visible(name)}\u2069`;

/** Formats the paid token amount with the token's name. Null if no token is paid. */
export function assetPaid({ asset }: Pick<ApprovalView, 'asset'>): string | null {
  return asset ? tokenAmountText(asset, asset.units) : null;
}

export const paysMoney = ({ outputs }: Pick<ApprovalView, 'outputs'>) => outputs.some(({ token }) => !token);

/** Shows the token to pay: its ID (because names aren't unique), the host that resolved it, and the user's balance. */
export function AssetFacts({ asset }: { asset: NonNullable<ApprovalView['asset']> }) {
  return (
    <section aria-labelledby="asset">
      <h2 class="part" id="asset">
        {t.token}
      </h2>
      <div class="card stack stack-tight" data-part="token">
        <dl class="facts">
          <dt>{t.id}</dt>
          <dd class="mono anywhere" data-part="token-id">
            <bdi dir="ltr">{asset.id}</bdi>
          </dd>
          {asset.namedBy !== undefined && (
            <>
              <dt>{t.requested}</dt>
              <dd class="anywhere" data-part="named-by">
                {t.according({ name: kept(asset.name), host: kept(asset.namedBy) })}
              </dd>
            </>
          )}
          <dt>{t.held}</dt>
          <dd class="amount token-amount" data-part="held">
            {tokenAmountText(asset, asset.held)}
          </dd>
        </dl>
        {asset.word === 'index' && (
          <p class="warn small" data-part="index-word">
            <WarningIcon size={16} />
            {t.indexWord}
          </p>
        )}
        <p class="small muted">{t.anyName}</p>
      </div>
    </section>
  );
}
