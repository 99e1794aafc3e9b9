import { useEffect, useState } from 'preact/hooks';
import type { Overview, Settings } from '../../../protocol/wallet-messages.ts';
import { APP_DATA_HASH } from '../../ui/app-data-hash.ts';
import { call } from '../../ui/call.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { LockIcon } from '../../ui/icons.tsx';
import { passkeysPossible } from '../../ui/passkey.ts';
import { appDataTexts } from '../../ui/texts-app-data.ts';
import { connectedTexts } from '../../ui/texts-connected.ts';
import { contactTexts } from '../../ui/texts-contacts.ts';
import { passkeyTexts } from '../../ui/texts-passkey.ts';
import { serviceTexts } from '../../ui/texts-service.ts';
import { settingsTexts as t } from '../../ui/texts-settings.ts';
import { shortcutTexts } from '../../ui/texts-shortcuts.ts';
import { texts } from '../../ui/texts.ts';
import { useAction } from '../../ui/use-action.ts';
import { PageHead } from '../page-head.tsx';
import { AddressesPage } from './addresses-page.tsx';
import { ChangePasswordPage } from './change-password-page.tsx';
import { ConnectedPage } from './connected-page.tsx';
import { AppDataPage, appDataRow, useAppData } from './app-data-page.tsx';
import { PASSKEYS_HASH, PasskeysPage } from './passkeys-page.tsx';
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
  onContacts: () => void;
  onSettings: (settings: Settings) => void;
}

/** All settings, grouped by topic, and the pages that open from there. */
export function SettingsPage({ settings, overview, onContacts, onSettings }: SettingsPageProps) {
  const [page, setPage] = useState<
    | 'all'
    | 'service'
    | 'connected'
    | 'shortcuts'
    | 'words'
    | 'password'
    | 'passkeys'
    | 'addresses'
    | 'search'
    | 'app-data'
    | 'remove'
  >(location.hash === PASSKEYS_HASH ? 'passkeys' : location.hash === APP_DATA_HASH ? 'app-data' : 'all');
  const [passkeys, setPasskeys] = useState(false);
  useEffect(() => void passkeysPossible().then(setPasskeys), []);
  const appData = useAppData();
  const lock = useAction(async () => void (await call('vault/lock', {})));
  const save: SaveSettings = async (change) => onSettings(await saveSettings(change));
  const back = () => setPage('all');
  if (page === 'service')
    return <ServicePage settings={settings} overview={overview} onSettings={onSettings} onBack={back} />;
  if (page === 'connected') return <ConnectedPage onBack={back} />;
  if (page === 'shortcuts') return <ShortcutsPage settings={settings} save={save} onBack={back} />;
  if (page === 'words') return <ShowWordsPage onBack={back} />;
  if (page === 'password') return <ChangePasswordPage onBack={back} />;
  if (page === 'passkeys') return <PasskeysPage onBack={back} />;
  if (page === 'addresses') return <AddressesPage onBack={back} />;
  if (page === 'search') return <SearchPage rate={overview.rate} onBack={back} />;
  if (page === 'app-data') return <AppDataPage onBack={back} onAccount={() => setPage('service')} />;
  if (page === 'remove') return <RemovePage overview={overview} onBack={back} />;
  return (
    <div class="popup-page settings">
      <PageHead title={t.title} />
      <YouSection settings={settings} save={save} />
      <div class="card card-flush list">
        <SettingsRow title={contactTexts.title} note={contactTexts.row} onClick={onContacts} />
        <SettingsRow
          title={serviceTexts.title}
          note={overview.account?.paymail ?? serviceTexts.none}
          onClick={() => setPage('service')}
        />
        {overview.account !== null && (
          <SettingsRow title={connectedTexts.title} note={connectedTexts.row} onClick={() => setPage('connected')} />
        )}
        <SettingsRow title={shortcutTexts.title} note={shortcutTexts.row} onClick={() => setPage('shortcuts')} />
      </div>
      <section class="stack stack-tight" aria-labelledby="settings-security">
        <h2 class="subheading" id="settings-security">
          {t.security}
        </h2>
        <div class="card card-flush list">
          <SettingsRow title={t.words.title} note={t.words.row} onClick={() => setPage('words')} />
          <SettingsRow title={t.password.title} note={t.password.row} onClick={() => setPage('password')} />
          {passkeys && (
            <SettingsRow title={passkeyTexts.title} note={passkeyTexts.row} onClick={() => setPage('passkeys')} />
          )}
          <SettingsRow title={appDataTexts.title} note={appDataRow(appData)} onClick={() => setPage('app-data')} />
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
          <SettingsRow title={t.addresses} note={t.addressesNote} onClick={() => setPage('addresses')} />
          <SettingsRow title={t.searchPage.title} note={t.searchPage.row} onClick={() => setPage('search')} />
        </div>
      </section>
      <section class="settings-end">
        <button type="button" class="button button-quiet button-block danger" onClick={() => setPage('remove')}>
          {t.remove.row}
        </button>
      </section>
    </div>
  );
}
