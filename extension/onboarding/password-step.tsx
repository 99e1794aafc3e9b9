/** Step 2: a password that is hard to guess, typed twice. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ServiceError } from '../../protocol/errors.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { SecretField } from '../ui/secret-field.tsx';
import { onboardingTexts as t } from '../ui/texts-onboarding.ts';
import { texts } from '../ui/texts.ts';
import { useAction } from '../ui/use-action.ts';
import { StepHead } from './step-head.tsx';
import { StrengthMeter } from './strength-meter.tsx';
import { LEAST_SCORE, loadJudge, type Strength } from './strength.ts';

interface PasswordStepProps {
  restoring: boolean;
  onPassword: (password: string) => Promise<void>;
  onBack: () => void;
}

/** See above. `onPassword` gets a strong password. */
export function PasswordStep({ restoring, onPassword, onBack }: PasswordStepProps) {
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [complaint, setComplaint] = useState<'weak' | 'differ' | null>(null);
  const [strength, setStrength] = useState<Strength | null>(null);
  const judge = useJudge();
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);

  useEffect(() => {
    if (password === '') return setStrength(null);
    let dropped = false;
    void judge().then((judged) => dropped || setStrength(judged(password)), () => {});
    return () => void (dropped = true);
  }, [password]);

  const submit = useAction(async () => {
    const { score } = (await judge())(password);
    const found = score < LEAST_SCORE ? 'weak' : password !== again ? 'differ' : null;
    setComplaint(found);
    if (found === null) return onPassword(password);
    (found === 'weak' ? first : second).current?.focus();
    return undefined;
  });
  const weakSaid = submit.error?.code === 'weak-password';
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
        <SecretField inputRef={first} label={texts.password} autocomplete="new-password" value={password} error={complaint === 'weak' || weakSaid ? t.password.weak : null} hint={<StrengthMeter strength={strength} />} onInput={(value) => { setPassword(value); setComplaint(null); submit.clear(); }} />
        <SecretField inputRef={second} label={t.password.again} autocomplete="new-password" value={again} error={complaint === 'differ' ? t.password.differ : null} onInput={(value) => { setAgain(value); setComplaint(null); }} />
        <p class="banner banner-warning">{t.password.noReset}</p>
        {!weakSaid && <ErrorNote error={submit.error} />}
        <button class="button button-primary button-block" disabled={password === '' || again === ''} aria-busy={submit.busy}>
          {submit.busy ? (restoring ? t.password.restoring : t.password.checking) : t.continue}
        </button>
        <button type="button" class="button button-block" disabled={submit.busy} onClick={onBack}>{texts.back}</button>
      </form>
    </>
  );
}

/** The judge of passwords, loading from the moment the step opens; a failed load is tried again when it is needed. */
function useJudge() {
  const loading = useRef<ReturnType<typeof loadJudge> | null>(null);
  const judge = () => {
    loading.current ??= loadJudge().catch((cause: unknown) => {
      loading.current = null;
      throw new ServiceError('internal', { cause });
    });
    return loading.current;
  };
  useEffect(() => void judge().catch(() => {}), []);
  return judge;
}
