import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AssetsView, Overview } from '../../../protocol/messages/wallet-messages.ts';
import { call, onChanges } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { formatCount, shorten, visible } from '../../ui/amounts/format.ts';
import { ChevronIcon, InIcon } from '../../ui/controls/icons.tsx';
import { moveFocus } from '../../ui/window/shortcuts.ts';
import { assetTexts as t } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';
import { PageHead } from '../page-head.tsx';
import { AssetPicture, contentPlace } from './asset-content.tsx';
import { formatUnits, tokenName } from '../../ui/amounts/asset-name.ts';
import { IndexChoice } from './index-choice.tsx';
import type { OpenAsset } from './open-asset.ts';
import { OrdinalPage } from './ordinal-page.tsx';
import { ReceiveAssets } from './receive-assets.tsx';
import { SendAsset } from './send-asset.tsx';
import { TokenPage } from './token-page.tsx';
import './assets.css';

type Step = { at: 'list' | 'receive' } | { at: 'asset' | 'send'; asset: OpenAsset };

/** Shows tokens and ordinals, searches for new ones, and lets users receive and send them. */
export function AssetsPage({
  overview,
  serviceUrl,
  onBack,
}: {
  overview: Overview;
  /** Origin of the service that resolves user IDs. */
  serviceUrl: string;
  onBack: () => void;
}) {
  const [assets, setAssets] = useState<AssetsView | null>(null);
  const [step, setStep] = useState<Step>({ at: 'list' });
  const read = useAction(async () => setAssets(await call('assets/list', {})));
  const look = useAction(async () => {
    await call('assets/refresh', {});
    await read.run();
  });
  useEffect(() => {
    void read.run().then(() => look.run());
    return onChanges(() => void read.run());
  }, []);
  const list = () => setStep({ at: 'list' });
  switch (step.at) {
    case 'receive':
      return <ReceiveAssets address={overview.receiveAddress} onBack={list} />;
    case 'send':
      return (
        <SendAsset
          asset={step.asset}
          network={overview.network}
          serviceUrl={serviceUrl}
          onBack={() => setStep({ at: 'asset', asset: step.asset })}
          onDone={() => {
            list();
            void look.run();
          }}
        />
      );
    case 'asset': {
      const onSend = () => setStep({ at: 'send', asset: step.asset });
      return 'token' in step.asset ? (
        <TokenPage token={step.asset.token} onSend={onSend} onBack={list} />
      ) : (
        <OrdinalPage ordinal={step.asset.ordinal} onSend={onSend} onBack={list} />
      );
    }
    case 'list':
      return (
        <div class="popup-page assets arrive">
          <PageHead title={t.title} onBack={onBack} />
          <p class="small muted assets-looking" role="status">
            {look.busy ? t.looking : ''}
          </p>
          <ErrorNote error={look.error ?? read.error} kind="warning" />
          {assets && <Lists assets={assets} onOpen={(asset) => setStep({ at: 'asset', asset })} />}
          <button
            type="button"
            class="button button-quiet button-block"
            data-action="receive-assets"
            onClick={() => setStep({ at: 'receive' })}
          >
            <InIcon size={18} />
            {t.receive}
          </button>
          {assets && <IndexChoice index={assets.index} onChosen={() => void look.run()} />}
        </div>
      );
  }
}

function Lists({ assets, onOpen }: { assets: AssetsView; onOpen: (asset: OpenAsset) => void }) {
  const { tokens, ordinals, invalid, unchecked, tooLarge } = assets;
  return (
    <>
      {tokens.length + ordinals.length === 0 && (
        <div class="empty">
          <p>{t.none}</p>
          <p class="muted">{t.noneText}</p>
        </div>
      )}
      {tokens.length > 0 && (
        <Group title={t.tokens}>
          {tokens.map((token) => (
            <button key={token.id} type="button" class="list-row" onClick={() => onOpen({ token })}>
              <AssetPicture outpoint={token.icon} />
              <span class="list-main">
                <span class="list-title">
                  <bdi>{tokenName(token.symbol)}</bdi>
                </span>
                <span class="assets-amount amount">{formatUnits(token.amount)}</span>
                <span class="list-note">
                  <bdi dir="ltr">{shorten(token.id)}</bdi>
                </span>
                {token.isUnconfirmed && <span class="list-note">{t.unconfirmed}</span>}
              </span>
              <span class="muted">
                <ChevronIcon size={16} />
              </span>
            </button>
          ))}
        </Group>
      )}
      {ordinals.length > 0 && (
        <Group title={t.ordinals}>
          {ordinals.map((ordinal) => (
            <button key={ordinal.outpoint} type="button" class="list-row" onClick={() => onOpen({ ordinal })}>
              <AssetPicture outpoint={contentPlace(ordinal)} />
              <span class="list-main">
                <span class="list-title">
                  <bdi>{ordinal.contentType === '' ? t.ordinal : visible(ordinal.contentType)}</bdi>
                </span>
                <span class="list-note">
                  <bdi dir="ltr">{shorten(ordinal.outpoint)}</bdi>
                </span>
                {ordinal.isUnconfirmed && <span class="list-note">{t.unconfirmed}</span>}
              </span>
              <span class="muted">
                <ChevronIcon size={16} />
              </span>
            </button>
          ))}
        </Group>
      )}
      {invalid > 0 && <p class="small muted">{t.invalid({ n: formatCount(invalid) })}</p>}
      {unchecked > 0 && <p class="small muted">{t.unchecked({ n: formatCount(unchecked) })}</p>}
      {tooLarge > 0 && <p class="small muted">{t.tooLarge({ n: formatCount(tooLarge) })}</p>}
      {tokens.length > 0 && <p class="small muted">{t.names}</p>}
    </>
  );
}

function Group({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="stack stack-tight">
      <h2 class="subheading">{title}</h2>
      <div class="card card-flush list" onKeyDown={(event) => moveFocus(event, '.list-row', 'list')}>
        {children}
      </div>
    </section>
  );
}
