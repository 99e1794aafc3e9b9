import type { Overview, Settings } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { HandleForm } from '../../ui/people/handle-form.tsx';
import { ServiceChoice } from '../../ui/controls/service-choice.tsx';
import { serviceTexts as t } from '../../ui/texts/texts.ts';
import { PageHead } from '../page-head.tsx';

interface ServicePageProps {
  settings: Settings;
  overview: Overview;
  onSettings: (settings: Settings) => void;
  onBack: () => void;
}

/** Shows and changes the account's service, and explains the consequences for the paymail and earlier payments. */
export function ServicePage({ settings, overview: { account }, onSettings, onBack }: ServicePageProps) {
  const { host } = new URL(settings.serviceUrl);
  return (
    <section class="popup-page arrive">
      <PageHead title={t.title} onBack={onBack} />
      <p>{account ? t.is({ paymail: account.paymail }) : t.isNone}</p>
      <ServiceChoice
        settings={settings}
        changes={(none) =>
          account && (
            <section class="well stack stack-tight" data-part="changes">
              <h2 class="subheading">{t.changes.title}</h2>
              <p class="small">{t.changes.handle({ paymail: account.paymail, host })}</p>
              <p class="small">{t.changes.payments}</p>
              {!none && <p class="small">{t.changes.move}</p>}
            </section>
          )
        }
        onChosen={async (next) => {
          onSettings(next);
          // The key may already have an account at this service. Errors are ignored, because the form below shows them.
          if (!next.noAccount && (await call('account/sign-in', {}).catch(() => null))) onSettings(next);
        }}
      >
        {account === null && (
          <HandleForm domain={new URL(settings.serviceUrl).hostname} onAccount={() => onSettings(settings)} />
        )}
      </ServiceChoice>
      <p class="small muted">{t.trust}</p>
    </section>
  );
}
