import { useEffect, useState } from 'preact/hooks';
import type { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { Overview, Settings, WalletResults } from '../../../protocol/messages/wallet-messages.ts';
import { call, onChanges } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { ShortcutHelp } from '../../ui/window/shortcut-list.tsx';
import { texts } from '../../ui/texts/texts.ts';
import { asServiceError } from '../../ui/window/use-action.ts';
import { accountUrl } from '../popup-url.ts';
import { TopBar } from '../top-bar.tsx';
import { Unlock } from '../unlock.tsx';
import { Welcome } from '../home/welcome.tsx';
import { SettingsPage } from './settings-page.tsx';

interface View {
  status: WalletResults['vault/status'];
  open: { overview: Overview; settings: Settings } | null;
}

/** Shows the settings, after unlocking the wallet if it is locked. */
export function SettingsWindow() {
  const { view, error, read } = useView();
  if (view === null)
    return (
      <main class="popup-middle">
        {error ? (
          <>
            <ErrorNote error={error} />
            <button type="button" class="button button-quiet" onClick={() => void read()}>
              {texts.tryAgain}
            </button>
          </>
        ) : (
          <span class="spinner" role="status" aria-label={texts.loading} />
        )}
      </main>
    );
  if (!view.status.exists) return <Welcome lost={view.status.lost ?? false} />;
  if (view.open === null) return <Unlock onUnlocked={read} />;
  return (
    <div class="settings-window">
      <TopBar overview={view.open.overview} onAccount={() => location.assign(accountUrl())} />
      <main>
        {error && (
          <div class="popup-note">
            <ErrorNote error={error} kind="warning" />
          </div>
        )}
        <SettingsPage {...view.open} onSettings={() => void read()} />
      </main>
      <ShortcutHelp />
    </div>
  );
}

/** Reads the wallet's state, and reads it again after every change that the background announces. */
function useView() {
  const [view, setView] = useState<View | null>(null);
  const [error, setError] = useState<ServiceError | null>(null);
  const read = async (): Promise<void> => {
    try {
      setView(await readView());
      setError(null);
    } catch (cause) {
      setError(asServiceError(cause));
    }
  };
  useEffect(() => {
    void read();
    return onChanges(() => void read());
  }, []);
  return { view, error, read };
}

async function readView(): Promise<View> {
  const status = await call('vault/status', {});
  if (!status.exists || status.locked) return { status, open: null };
  try {
    const [overview, settings] = await Promise.all([call('wallet/overview', {}), call('settings/read', {})]);
    return { status, open: { overview, settings } };
  } catch (cause) {
    // The wallet was locked between two requests.
    if (asServiceError(cause).code === 'wallet-locked') return { status: { ...status, locked: true }, open: null };
    throw cause;
  }
}
