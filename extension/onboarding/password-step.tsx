import { ErrorNote } from '../ui/controls/error-note.tsx';
import { useNewPassword } from '../ui/secrets/new-password.tsx';
import { onboardingTexts as t, texts } from '../ui/texts/texts.ts';
import { useAction } from '../ui/window/use-action.ts';
import { StepHead } from './step-head.tsx';

interface PasswordStepProps {
  restoring: boolean;
  onPassword: (password: string) => Promise<void>;
  onBack: () => void;
}

/** Step 2: a strong password, typed twice. */
export function PasswordStep({ restoring, onPassword, onBack }: PasswordStepProps) {
  const submit = useAction(async () => {
    if (await chosen.accepted()) await onPassword(chosen.value);
  });
  const weakSaid = submit.error?.code === 'weak-password';
  const chosen = useNewPassword({ label: texts.password, refused: weakSaid, autofocus: true, onChange: submit.clear });
  return (
    <>
      <StepHead title={t.password.title} lead={t.password.lead} />
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit.run();
        }}
      >
        {chosen.fields}
        <p class="banner banner-warning">{t.password.noReset}</p>
        {!weakSaid && <ErrorNote error={submit.error} />}
        <button
          type="submit"
          class="button button-primary button-block"
          disabled={!chosen.complete}
          aria-busy={submit.busy}
        >
          {submit.busy ? (restoring ? t.password.restoring : t.password.checking) : t.continue}
        </button>
        <button type="button" class="button button-block" disabled={submit.busy} onClick={onBack}>
          {texts.back}
        </button>
      </form>
    </>
  );
}
