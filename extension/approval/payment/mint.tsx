import type { MintedAsset, MintView } from '../../../protocol/messages/wallet-messages.ts';
import { writeTokenDecimal } from '../../../protocol/assets/bsv21/amount.ts';
import { FeeAmount, InlineAmount } from '../../ui/amounts/amount.tsx';
import { formatUnits, tokenName } from '../../ui/amounts/asset-name.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { FaucetButton } from '../../ui/amounts/faucet-button.tsx';
import { formatCount } from '../../ui/amounts/format.ts';
import { approvalTexts, assetTexts, mintTexts as t } from '../../ui/texts/texts.ts';
import { useGuard } from '../../ui/window/use-guard.ts';
import { Decision, type Choice } from '../decision.tsx';
import { MoreBelow, useMoreBelow } from '../more-below.tsx';
import { useCoinSearch } from '../problem.tsx';
import { Question } from '../question.tsx';
import { ShortOfMoney } from './short-of-money.tsx';

interface MintProps {
  view: MintView;
  deciding: { current: boolean };
  decide: (choice: Choice) => Promise<void>;
  onUnlocked: () => Promise<void>;
}

/**
 * Shows the prompt to mint a token for the wallet's own service: the new token, the cost, and the decision. The name,
 * supply and decimals are shown as they will be in the transaction.
 */
export function Mint({ view, deciding, decide, onUnlocked }: MintProps) {
  const { asset, earlier, feeSatoshis, rate, problem } = view;
  // Unlocking the wallet in another window only adds details, so the click guard doesn't restart.
  const guard = useGuard(
    JSON.stringify({ ...view, locked: false, balanceSatoshis: '', rate: rate && [rate.price, rate.sources] }),
  );
  const more = useMoreBelow();
  const mustLook = asset === null && view.locked;
  const isShort = problem?.code === 'insufficient-funds';
  useCoinSearch(isShort);
  const label = mustLook ? t.look : earlier ? t.useIt : view.locked ? t.unlockAnd : t.yes;
  return (
    <div class="approval">
      <Question view={view} title={t.title} asks={t.asks} part={mustLook}>
        {asset === null ? mustLook && <p data-part="locked">{t.locked}</p> : <Facts asset={asset} />}
        {asset !== null && <p>{earlier === undefined ? t.what : t.earlier}</p>}
        {earlier !== undefined && (
          <dl class="facts">
            <dt>{assetTexts.id}</dt>
            <dd class="mono anywhere" data-part="earlier">
              <bdi dir="ltr">{earlier}</bdi>
            </dd>
          </dl>
        )}
        {!mustLook && earlier === undefined && (
          <dl class="facts approval-facts">
            <dt>{approvalTexts.fee}</dt>
            <dd data-part="fee">
              {feeSatoshis === null ? (
                approvalTexts.feeUnknown
              ) : (
                <FeeAmount satoshis={BigInt(feeSatoshis)} rate={rate} />
              )}
            </dd>
            <dt>{approvalTexts.balance}</dt>
            <dd>
              <InlineAmount satoshis={BigInt(view.balanceSatoshis)} rate={rate} />
            </dd>
          </dl>
        )}
        <div ref={more.end} />
        {view.receiveAddress !== null && view.network !== 'devnet' && (
          <ShortOfMoney network={view.network} address={view.receiveAddress} satoshis={BigInt(view.balanceSatoshis)} />
        )}
      </Question>
      <Decision
        title={t.title}
        locked={view.locked}
        mayBlock={view.mayBlock}
        guard={guard}
        deciding={deciding}
        decide={decide}
        yes={{
          action: 'mint',
          busy: t.busy,
          possible: problem === null,
          label: problem === null ? label : t.cannot,
        }}
        lookFirst={mustLook ? onUnlocked : undefined}
      >
        {more.hidden && <MoreBelow onShow={() => more.end.current?.scrollIntoView({ block: 'center' })} />}
        <ErrorNote error={problem} kind="warning" />
        {isShort && view.network === 'devnet' && <FaucetButton satoshis={BigInt(view.balanceSatoshis)} />}
      </Decision>
    </div>
  );
}

function Facts({ asset: { symbol, decimals, units } }: { asset: MintedAsset }) {
  return (
    <dl class="facts approval-facts">
      <dt>{t.name}</dt>
      <dd class="anywhere" data-part="name">
        <bdi>{tokenName(symbol)}</bdi>
      </dd>
      <dt>{t.supply}</dt>
      <dd class="anywhere" data-part="supply">
        <bdi>{formatUnits(writeTokenDecimal(BigInt(units), decimals))}</bdi>
      </dd>
      <dt>{t.decimals}</dt>
      <dd data-part="decimals">{formatCount(decimals)}</dd>
    </dl>
  );
}
