import { useEffect } from 'preact/hooks';
import type { Account, Settings } from '../../protocol/messages/wallet-messages.ts';
import { call } from '../ui/window/call.ts';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { HandleForm } from '../ui/people/handle-form.tsx';
import { serviceTexts, texts } from '../ui/texts/texts.ts';
import { PageHead } from './page-head.tsx';

interface AccountPageProps {
  account: Account | null;
  settings: Settings;
  onBack: () => void;
  onAccount: () => Promise<void>;
}

/** Shows the account at the service, or lets users create one. */
export function AccountPage({ account, settings, onBack, onAccount }: AccountPageProps) {
  useEffect(() => {
    // A restored key may already have an account. Errors are ignored, because the form below shows them.
    if (account === null && !settings.noAccount)
      call('account/sign-in', {}).then(
        (found) => found && onAccount(),
        () => {},
      );
  }, []);
  return (
    <section class="popup-page arrive">
      <PageHead title={texts.popup.accountTitle} onBack={onBack} />
      {account === null ? (
        <>
          <p class="muted">{texts.popup.accountText}</p>
          <HandleForm domain={new URL(settings.serviceUrl).hostname} onAccount={() => void onAccount()} />
          <p class="small muted">{serviceTexts.elsewhere}</p>
        </>
      ) : (
        <>
          <dl class="facts">
            <dt>{texts.handle.label}</dt>
            <dd>{account.handle}</dd>
            <dt>{texts.popup.paymail}</dt>
            <dd>{account.paymail}</dd>
            {account.name && (
              <>
                <dt>{texts.popup.name}</dt>
                <dd>{account.name}</dd>
              </>
            )}
            <dt>{texts.popup.userId}</dt>
            <dd class="amount">{account.id}</dd>
          </dl>
          <div>
            <CopyButton text={account.paymail} label={texts.popup.copyPaymail} />
          </div>
          <p class="small muted">{texts.popup.accountUse}</p>
        </>
      )}
    </section>
  );
}
