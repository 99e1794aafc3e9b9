import { useEffect, useState } from 'preact/hooks';
import type { Overview, Settings } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { LockIcon } from '../../ui/controls/icons.tsx';
import { passkeysPossible } from '../../ui/secrets/passkey.ts';
import {
  appDataTexts,
  connectedTexts,
  contactTexts,
  passkeyTexts,
  serviceTexts,
  settingsTexts as t,
  shortcutTexts,
  texts,
} from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';
import { ContactsPage } from '../contacts/contacts-page.tsx';
import { PageHead } from '../page-head.tsx';
import { sendingUrl } from '../popup-url.ts';
import { AddressesPage } from './addresses-page.tsx';
import { ChangePasswordPage } from './change-password-page.tsx';
import { ConnectedPage } from './connected-page.tsx';
import { AppDataPage, appDataRow, useAppData } from './app-data-page.tsx';
import { usePage } from './pages.ts';
import { PasskeysPage } from './passkeys-page.tsx';
import { RemovePage } from './remove-page.tsx';
import { saveSettings, type SaveSettings } from './save.ts';
import { SearchPage } from './search-page.tsx';
import { ServicePage } from './service-page.tsx';
import { SettingsRow } from './settings-row.tsx';
import { ShortcutsPage } from './shortcuts-page.tsx';
import { ShowWordsPage } from './show-words-page.tsx';
import { YouSection } from './you-section.tsx';
import './settings.css';

interface SettingsPageProps {
  settings: Settings;
  overview: Overview;
  onSettings: (settings: Settings) => void;
}

/** Shows all settings by topic, or the page named in the URL. */
export function SettingsPage({ settings, overview, onSettings }: SettingsPageProps) {
  const [page, open, back] = usePage();
  const [passkeys, setPasskeys] = useState(false);
  useEffect(() => void passkeysPossible().then(setPasskeys), []);
  const appData = useAppData();
  const lock = useAction(async () => void (await call('vault/lock', {})));
  const save: SaveSettings = async (change) => onSettings(await saveSettings(change));
  if (page === 'contacts')
    return <ContactsPage network={overview.network} onSend={(to) => location.assign(sendingUrl(to))} onBack={back} />;
  if (page === 'service')
    return <ServicePage settings={settings} overview={overview} onSettings={onSettings} onBack={back} />;
  if (page === 'connected') return <ConnectedPage onBack={back} />;
  if (page === 'shortcuts') return <ShortcutsPage settings={settings} save={save} onBack={back} />;
  if (page === 'words') return <ShowWordsPage onBack={back} />;
  if (page === 'password') return <ChangePasswordPage onBack={back} />;
  if (page === 'passkeys') return <PasskeysPage onBack={back} />;
  if (page === 'addresses') return <AddressesPage onBack={back} />;
  if (page === 'search') return <SearchPage rate={overview.rate} onBack={back} />;
  if (page === 'app-data') return <AppDataPage onBack={back} onAccount={() => open('service')} />;
  if (page === 'remove') return <RemovePage overview={overview} onBack={back} />;
  return (
    <div class="popup-page settings">
      <PageHead title={t.title} />
      <YouSection settings={settings} save={save} />
      <div class="card card-flush list">
        <SettingsRow title={contactTexts.title} note={contactTexts.row} onClick={() => open('contacts')} />
        <SettingsRow
          title={serviceTexts.title}
          note={overview.account?.paymail ?? serviceTexts.none}
          onClick={() => open('service')}
        />
        {overview.account !== null && (
          <SettingsRow title={connectedTexts.title} note={connectedTexts.row} onClick={() => open('connected')} />
        )}
        <SettingsRow title={shortcutTexts.title} note={shortcutTexts.row} onClick={() => open('shortcuts')} />
      </div>
      <section class="stack stack-tight" aria-labelledby="settings-security">
        <h2 class="subheading" id="settings-security">
          {t.security}
        </h2>
        <div class="card card-flush list">
          <SettingsRow title={t.words.title} note={t.words.row} onClick={() => open('words')} />
          <SettingsRow title={t.password.title} note={t.password.row} onClick={() => open('password')} />
          {passkeys && (
            <SettingsRow title={passkeyTexts.title} note={passkeyTexts.row} onClick={() => open('passkeys')} />
          )}
          <SettingsRow title={appDataTexts.title} note={appDataRow(appData)} onClick={() => open('app-data')} />
          <SettingsRow title={t.lockNow} icon={<LockIcon size={16} />} onClick={() => lock.run()} />
        </div>
        <ErrorNote error={lock.error} />
      </section>
      <section class="stack" aria-labelledby="settings-network">
        <div>
          <h2 class="subheading" id="settings-network">
            {t.network}
          </h2>
          <p>
            {texts.networks[settings.network]}
            {settings.network !== 'mainnet' && <span class="muted">. {texts.worthless}</span>}
          </p>
        </div>
        <div class="card card-flush list">
          <SettingsRow title={t.addresses} note={t.addressesNote} onClick={() => open('addresses')} />
          <SettingsRow title={t.searchPage.title} note={t.searchPage.row} onClick={() => open('search')} />
        </div>
      </section>
      <section class="settings-end">
        <button type="button" class="button button-quiet button-block danger" onClick={() => open('remove')}>
          {t.remove.row}
        </button>
      </section>
    </div>
  );
}
