import { useState } from 'preact/hooks';
import type { Rate, WalletResults } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { OtherWallets } from '../../ui/window/other-wallets.tsx';
import { settingsTexts } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';
import { PageHead } from '../page-head.tsx';

const t = settingsTexts.searchPage;

/** Searches more addresses for coins than a wallet searches when it is restored. */
export function SearchPage({ rate, onBack }: { rate: Rate | null; onBack: () => void }) {
  const [found, setFound] = useState<WalletResults['wallet/search-further'] | null>(null);
  const search = useAction(async () => setFound(await call('wallet/search-further', {})));
  return (
    <section class="popup-page arrive">
      <PageHead title={t.title} onBack={onBack} />
      <p>{t.lead}</p>
      <p class="muted">{t.note}</p>
      <div role="status">
        {found && (
          <p class={found.payments > 0 ? 'banner banner-success' : 'banner'}>
            {t.searched({ n: found.addresses })} {t.found({ n: found.payments })} {!found.isWhole && t.goesOn}
          </p>
        )}
      </div>
      <ErrorNote error={search.error} />
      <button
        type="button"
        class="button button-primary button-block"
        data-action="search-further"
        aria-busy={search.busy}
        onClick={() => void search.run()}
      >
        {search.busy ? t.searching : t.search}
      </button>
      <OtherWallets rate={rate} />
    </section>
  );
}
