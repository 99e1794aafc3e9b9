import type { Overview } from '../../../protocol/messages/wallet-messages.ts';
import { GetCoins } from '../../ui/amounts/get-coins.tsx';
import { InIcon, OutIcon } from '../../ui/controls/icons.tsx';
import { assetTexts, sendTexts, texts } from '../../ui/texts/texts.ts';
import { ActivityList } from '../activity/activity-list.tsx';
import { Balance } from './balance.tsx';
import { Notices } from './notices.tsx';
import { ReservedCoins } from './set-aside.tsx';
import { UpdateLine } from './update-line.tsx';
import type { Store } from '../popup-state.ts';
import './home.css';

export function Home({
  store,
  overview,
  onSend,
  onReceive,
  onAssets,
}: {
  store: Store;
  overview: Overview;
  onSend: () => void;
  onReceive: () => void;
  onAssets: () => void;
}) {
  const activity = store.activity.value;
  const empty = overview.satoshis === '0' && activity?.items.length === 0;
  return (
    <>
      <Balance overview={overview} />
      <ReservedCoins sites={overview.setAside ?? []} rate={overview.rate} />
      <div class="popup-actions home-actions">
        <button type="button" class="button button-primary" onClick={onSend}>
          <OutIcon size={18} />
          {sendTexts.send}
        </button>
        <button type="button" class="button button-primary" onClick={onReceive}>
          <InIcon size={18} />
          {texts.popup.receive}
        </button>
      </div>
      <div class="home-assets">
        <button
          type="button"
          class="button button-quiet button-small button-block"
          data-action="assets"
          onClick={onAssets}
        >
          {assetTexts.title}
        </button>
      </div>
      <Notices overview={overview} />
      {overview.update && <UpdateLine update={overview.update} />}
      {empty ? (
        <EmptyWallet overview={overview} />
      ) : (
        <ActivityList
          store={store}
          rate={overview.rate}
          network={overview.network}
          isWhole={(overview.historyLeft ?? null) === null && !overview.isHistoryCut}
        />
      )}
    </>
  );
}

function EmptyWallet({ overview }: { overview: Overview }) {
  return (
    <section class="get-coins" aria-labelledby="get-coins">
      <h2 class="subheading" id="get-coins">
        {texts.popup.emptyTitle}
      </h2>
      <p class="muted">{texts.popup.emptyText}</p>
      <GetCoins network={overview.network} address={overview.receiveAddress} satoshis={BigInt(overview.satoshis)} />
    </section>
  );
}
