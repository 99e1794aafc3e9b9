import { useEffect, useState } from 'preact/hooks';
import type { Account } from '../../protocol/messages/wallet-messages.ts';
import { call } from '../ui/window/call.ts';
import { ErrorNote } from '../ui/controls/error-note.tsx';
import { PRODUCT_NAME } from '../../protocol/text/product.ts';
import { Mark } from '../ui/controls/icons.tsx';
import { onboardingTexts as t, texts } from '../ui/texts/texts.ts';
import { asServiceError, useAction } from '../ui/window/use-action.ts';
import { AccountStep } from './account-step.tsx';
import { CheckStep } from './check-step.tsx';
import { DonePage } from './done-page.tsx';
import { LostStep } from './lost-step.tsx';
import { NetworkStep } from './network-step.tsx';
import { PasswordStep } from './password-step.tsx';
import { ProgressLine } from './progress-line.tsx';
import { RestoreStep } from './restore-step.tsx';
import { isServiceReachable } from './service-answers.ts';
import { StartStep } from './start-step.tsx';
import { StepHead } from './step-head.tsx';
import { WordsStep } from './words-step.tsx';

/**
 * The current step, and the words if a wallet is being restored. A new wallet's words are generated after the password
 * is chosen.
 */
type OnboardingStep =
  | { at: 'loading' }
  | { at: 'exists' }
  | { at: 'lost' }
  | { at: 'start' }
  | { at: 'restore'; lost: boolean }
  | { at: 'network'; words: string | null }
  | { at: 'password'; words: string | null }
  | { at: 'words'; words: string; password: string }
  | { at: 'check'; words: string; password: string }
  | { at: 'account'; restored: boolean }
  | { at: 'done'; restored: boolean; account: Account | null; found: boolean };

const STEP = { start: 0, restore: 0, network: 0, password: 1, words: 2, check: 2, account: 3 } as const;

/**
 * Sets up a wallet. The words and the password are only in this page's memory, and only during the steps that need
 * them.
 */
export function Onboarding() {
  const [place, setPlace] = useState<OnboardingStep>({ at: 'loading' });
  const start = useAction(async () => setPlace(await firstPlace()));
  useEffect(() => void start.run(), []);
  useLeaveWarning(place.at === 'words' || place.at === 'check');

  /** Stores the wallet. The next step's state no longer contains the words and the password. */
  const create = async (words: string, password: string, restored: boolean): Promise<void> => {
    try {
      await call('vault/create', { words, password, restored });
    } catch (cause) {
      if (asServiceError(cause).code === 'vault-exists') return setPlace({ at: 'exists' });
      throw cause;
    }
    setPlace({ at: 'account', restored });
  };

  return (
    <div class="page page-narrow onboarding">
      <header class="page-header">
        <span class="brand">
          <Mark />
          {PRODUCT_NAME}
        </span>
      </header>
      {place.at in STEP && <ProgressLine step={STEP[place.at as keyof typeof STEP]} />}
      <main key={place.at} class="stack onboarding-step arrive">
        {place.at === 'loading' &&
          (start.error ? (
            <ErrorNote error={start.error} />
          ) : (
            <p class="muted" role="status">
              {texts.loading}
            </p>
          ))}
        {place.at === 'exists' && <StepHead title={t.exists.title} lead={t.exists.text} />}
        {place.at === 'lost' && (
          <LostStep onRestore={() => setPlace({ at: 'restore', lost: true })} onAgain={() => start.run()} />
        )}
        {place.at === 'start' && (
          <StartStep
            onCreate={async () => setPlace({ at: (await isServiceReachable()) ? 'password' : 'network', words: null })}
            onRestore={() => setPlace({ at: 'restore', lost: false })}
          />
        )}
        {place.at === 'restore' && (
          <RestoreStep
            onWords={async (words, service) => {
              if (place.lost) await call('vault/replace-unreadable', { words });
              // Settings can be stored only after the unreadable data has been deleted, so the service is queried
              // again.
              const answers = place.lost ? await isServiceReachable() : service;
              setPlace({ at: answers ? 'password' : 'network', words });
            }}
            onBack={() => setPlace({ at: place.lost ? 'lost' : 'start' })}
          />
        )}
        {place.at === 'network' && (
          <NetworkStep
            askService={isServiceReachable}
            onChosen={() => setPlace({ at: 'password', words: place.words })}
            onBack={() => (place.words === null ? setPlace({ at: 'start' }) : start.run())}
          />
        )}
        {place.at === 'password' && (
          <PasswordStep
            restoring={place.words !== null}
            onBack={() => start.run()}
            onPassword={async (password) => {
              if (place.words !== null) return create(place.words, password, true);
              const { words } = await call('vault/generate-words', {});
              return setPlace({ at: 'words', words, password });
            }}
          />
        )}
        {place.at === 'words' && (
          <WordsStep words={place.words} onWritten={() => setPlace({ ...place, at: 'check' })} />
        )}
        {place.at === 'check' && (
          <CheckStep
            words={place.words}
            onChecked={() => create(place.words, place.password, false)}
            onBack={() => setPlace({ ...place, at: 'words' })}
          />
        )}
        {place.at === 'account' && (
          <AccountStep
            restored={place.restored}
            onDone={(account, found) => setPlace({ at: 'done', restored: place.restored, account, found })}
          />
        )}
        {place.at === 'done' && <DonePage restored={place.restored} account={place.account} found={place.found} />}
      </main>
    </div>
  );
}

/** Returns the first step. An existing wallet without an account continues with the account step. */
async function firstPlace(): Promise<OnboardingStep> {
  const status = await call('vault/status', {});
  if (!status.exists) return { at: status.lost ? 'lost' : 'start' };
  if (status.locked) return { at: 'exists' };
  const { account, scan } = await call('wallet/overview', {});
  return account === null ? { at: 'account', restored: scan !== null } : { at: 'exists' };
}

/**
 * Makes the browser warn users who leave before the wallet is stored, because the words on paper would then be useless.
 */
function useLeaveWarning(on: boolean): void {
  useEffect(() => {
    if (!on) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [on]);
}
