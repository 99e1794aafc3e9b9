import { useEffect, useState } from 'preact/hooks';
import type { Account, Settings } from '../../protocol/messages/wallet-messages.ts';
import { call } from '../ui/window/call.ts';
import { ErrorNote } from '../ui/controls/error-note.tsx';
import { HandleForm } from '../ui/people/handle-form.tsx';
import { ServiceChoice } from '../ui/controls/service-choice.tsx';
import { onboardingTexts as t, serviceTexts, texts } from '../ui/texts/texts.ts';
import { asServiceError } from '../ui/window/use-action.ts';
import type { ServiceError } from '../../protocol/errors/service-error.ts';
import { StepHead } from './step-head.tsx';

interface AccountStepProps {
  restored: boolean;
  /** `found` is true if the account already existed. */
  onDone: (account: Account | null, found: boolean) => void;
}

/**
 * Step 4, optional: the user chooses the account's service, and a handle. A restored key may already have an account.
 */
export function AccountStep({ restored, onDone }: AccountStepProps) {
  const [searching, setSearching] = useState(restored);
  const [problem, setProblem] = useState<ServiceError | null>(null);
  const [settings, setSettings] = useState<Settings | null>(null);
  useEffect(() => {
    call('settings/read', {}).then(setSettings, (error) => setProblem(asServiceError(error)));
  }, []);
  const search = async (): Promise<void> => {
    setSearching(true);
    setProblem(null);
    try {
      const account = await call('account/sign-in', {});
      if (account !== null) return onDone(account, true);
    } catch (cause) {
      setProblem(asServiceError(cause));
    }
    setSearching(false);
  };
  useEffect(() => void (restored && search()), []);
  const skip = (
    <button type="button" class="button button-block" onClick={() => onDone(null, false)}>
      {t.account.skip}
    </button>
  );
  if (searching) {
    return (
      <>
        <StepHead title={t.account.searching} />
        <span class="spinner" aria-hidden="true" />
        {skip}
      </>
    );
  }
  return (
    <>
      <StepHead title={t.account.title} lead={t.account.lead} />
      {problem && (
        <ErrorNote error={problem} kind="warning">
          <p class="small">{texts.handle.failedNext}</p>
          <p>
            <button type="button" class="link" onClick={search}>
              {texts.tryAgain}
            </button>
          </p>
        </ErrorNote>
      )}
      {settings && (
        <ServiceChoice
          settings={settings}
          confirmsNone
          onChosen={async (next) => {
            if (next.noAccount) return onDone(null, false);
            setSettings(next);
            // The key may already have an account at this service.
            await search();
          }}
        >
          <p class="small muted">{serviceTexts.trust}</p>
          <HandleForm domain={new URL(settings.serviceUrl).hostname} onAccount={(account) => onDone(account, false)} />
        </ServiceChoice>
      )}
      {problem && skip}
    </>
  );
}
