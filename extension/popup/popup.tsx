import { useEffect, useState } from 'preact/hooks';
import { PAYMENT_HASH } from '../../protocol/messages/wire.ts';
import { ErrorNote } from '../ui/controls/error-note.tsx';
import { Mark } from '../ui/controls/icons.tsx';
import { ACCOUNT_HASH, RECIPIENT_HASH } from './popup-url.ts';
import { UNLOCK_HASH } from '../ui/secrets/passkey-button.tsx';
import { ShortcutHelp } from '../ui/window/shortcut-list.tsx';
import { texts } from '../ui/texts/texts.ts';
import { AccountPage } from './account-page.tsx';
import { AssetsPage } from './assets/assets-page.tsx';
import { ContactsPage } from './contacts/contacts-page.tsx';
import { Home } from './home/home.tsx';
import { OpenPrompts } from './home/open-prompts.tsx';
import { PaymentPage } from './activity/payment-page.tsx';
import { ReceivePage } from './receive/receive-page.tsx';
import { SCAN_HASH } from './send/scan/scan-panel.tsx';
import { SendPage } from './send/send-page.tsx';
import { SitesPage } from './sites/sites-page.tsx';
import type { Store } from './popup-state.ts';
import { TabBar, type Tab } from './tab-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { Unlock } from './unlock.tsx';
import { Welcome } from './home/welcome.tsx';

/** Pages of the unlocked wallet: the tabs, and the pages that open over them. */
type Page = Tab | 'send' | 'receive' | 'account' | 'payment' | 'contacts' | 'assets';

/** Returns the recipient in the popup's URL, or ''. */
function firstRecipient(): string {
  if (!location.hash.startsWith(RECIPIENT_HASH)) return '';
  return new URLSearchParams(location.hash.slice(1)).get('to') ?? '';
}

/** Returns the page named in the popup's URL, if it was opened in a tab. */
function firstPage(): Page {
  if (location.hash.startsWith(PAYMENT_HASH)) return 'payment';
  if (location.hash === SCAN_HASH || location.hash.startsWith(RECIPIENT_HASH)) return 'send';
  return location.hash === ACCOUNT_HASH ? 'account' : 'activity';
}

/** Shows the onboarding, the unlock form or the unlocked wallet. */
export function Popup({ store }: { store: Store }) {
  useEffect(() => store.stop, [store]);
  const status = store.status.value;
  if (status === null) {
    return (
      <main class="popup-middle">
        {store.error.value ? (
          <Failed store={store} />
        ) : (
          // Same markup as in index.html, to prevent layout shifts.
          <div role="status" aria-label={texts.loading}>
            <Mark size={48} />
          </div>
        )}
      </main>
    );
  }
  if (!status.exists) return <Welcome lost={status.lost ?? false} />;
  if (status.locked)
    return (
      <>
        <OpenPrompts />
        <Unlock
          onUnlocked={async () => {
            if (location.hash === UNLOCK_HASH) return window.close(); // The popup was opened only to unlock the wallet.
            await store.read();
            await store.refresh(true);
          }}
        />
      </>
    );
  return <OpenWallet store={store} />;
}

function Failed({ store }: { store: Store }) {
  return (
    <div class="stack">
      <ErrorNote error={store.error.value} />
      <button type="button" class="button button-quiet" onClick={() => store.read()}>
        {texts.tryAgain}
      </button>
    </div>
  );
}

function OpenWallet({ store }: { store: Store }) {
  const [page, setPage] = useState<Page>(firstPage);
  const [to, setTo] = useState(firstRecipient);
  const [payment] = useState(location.hash.slice(PAYMENT_HASH.length));
  const overview = store.overview.value;
  const settings = store.settings.value;
  if (overview === null || settings === null)
    return (
      <main class="popup-middle">
        {store.error.value ? (
          <Failed store={store} />
        ) : (
          <span class="spinner" role="status" aria-label={texts.loading} />
        )}
      </main>
    );
  const home = () => setPage('activity');
  const send = (recipient: string) => {
    setTo(recipient);
    setPage('send');
  };
  const contacts = () => setPage('contacts');
  return (
    <div class="popup">
      <TopBar overview={overview} onAccount={() => setPage('account')} />
      <main class="popup-body" key={page}>
        <OpenPrompts />
        {store.error.value && (
          <div class="popup-note">
            <ErrorNote error={store.error.value} kind="warning" />
          </div>
        )}
        {page === 'activity' && (
          <Home
            store={store}
            overview={overview}
            onSend={() => send('')}
            onReceive={() => setPage('receive')}
            onAssets={() => setPage('assets')}
          />
        )}
        {page === 'payment' && <PaymentPage id={payment} store={store} overview={overview} onBack={home} />}
        {page === 'send' && (
          <SendPage overview={overview} settings={settings} to={to} onContacts={contacts} onBack={home} />
        )}
        {page === 'receive' && <ReceivePage overview={overview} onBack={home} onAccount={() => setPage('account')} />}
        {page === 'assets' && <AssetsPage overview={overview} serviceUrl={settings.serviceUrl} onBack={home} />}
        {page === 'contacts' && <ContactsPage network={overview.network} onSend={send} onBack={home} />}
        {page === 'account' && (
          <AccountPage account={overview.account} settings={settings} onBack={home} onAccount={store.read} />
        )}
        {page === 'sites' && <SitesPage sites={store.sites.value} rate={overview.rate} />}
      </main>
      <ShortcutHelp />
      <TabBar tab={page === 'sites' ? page : 'activity'} onTab={setPage} />
    </div>
  );
}
