import type { SavedOutput, SentAsset } from '../../../protocol/messages/wallet-messages.ts';
import { Avatar } from '../../ui/people/avatar.tsx';
import { formatUnits, tokenAmountText } from '../../ui/amounts/asset-name.ts';
import { ContactName } from '../../ui/people/contact-name.tsx';
import { formatAmount, formatSatoshis, visible } from '../../ui/amounts/format.ts';
import { activityTexts as t, assetTexts, texts } from '../../ui/texts/texts.ts';
import { SaveContact } from '../contacts/save-contact.tsx';
import { LONG_SHOWN } from '../long-text.tsx';

/** Formats an output's token amount, with the symbol if it is the row's token. */
function tokenPaid(token: NonNullable<SavedOutput['token']>, amount: string, asset: SentAsset | undefined): string {
  return asset?.type === 'token' && asset.id === token.id
    ? tokenAmountText(asset, token.units)
    : `${formatUnits(amount)} ${assetTexts.token}`;
}

/** @param more number of additional recipients, which the wallet doesn't store @param paid true if money was sent */
export function Recipients({
  outputs,
  asset,
  more,
  paid,
  onSaved,
}: {
  outputs: readonly SavedOutput[];
  asset: SentAsset | undefined;
  more: number;
  paid: boolean;
  onSaved: () => void;
}) {
  return (
    <ul class="stack stack-tight">
      {outputs.map(({ type, to, amount, currency, satoshis, contact, token }, i) => (
        <li key={i}>
          {contact && <ContactName name={contact} />}
          <span class="avatar-line">
            {type === 'PAYMAIL' && <Avatar name={to} paymail={to} ask={paid} small />}
            <span class={type === 'PAYMAIL' || type === 'USER' ? 'anywhere' : 'mono anywhere'}>
              <bdi>{visible(to.length > LONG_SHOWN ? `${to.slice(0, LONG_SHOWN)} …` : to)}</bdi>
            </span>
          </span>
          <span class="muted activity-kind">
            {texts.kinds[type]}
            {outputs.length > 1 && (
              <>
                {' · '}
                <span class={token ? 'anywhere' : 'amount'}>
                  {token ? tokenPaid(token, amount, asset) : formatAmount(amount, currency)}
                </span>{' '}
                {!token && <span class="amount">({formatSatoshis(BigInt(satoshis))})</span>}
              </>
            )}
          </span>
          {contact === null && asset?.type !== 'mint' && <SaveContact to={to} onSaved={onSaved} />}
        </li>
      ))}
      {more > 0 && <li class="muted">{t.moreRecipients({ n: more })}</li>}
    </ul>
  );
}
