/**
 * Fields for a new password, typed twice. The password's strength is shown immediately, but problems only on
 * submission.
 */
import type { ComponentChild } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { SecretField } from './secret-field.tsx';
import { StrengthMeter } from './strength-meter.tsx';
import { MIN_PASSWORD_SCORE, loadEstimator, type Strength } from './strength.ts';
import { secretTexts as t } from '../texts/texts.ts';

export interface NewPassword {
  value: string;
  /** True if both fields are filled in. */
  complete: boolean;
  fields: ComponentChild;
  /** Returns true if the password is strong and was typed twice. Otherwise, shows the problem below its field. */
  accepted: () => Promise<boolean>;
}

interface NewPasswordOptions {
  label: string;
  /** True if the background rejected the password as too weak. */
  refused: boolean;
  autofocus?: boolean;
  onChange: () => void;
}

/** Returns the two fields of a form that sets a new password. */
export function useNewPassword({ label, refused, autofocus = false, onChange }: NewPasswordOptions): NewPassword {
  const [value, setValue] = useState('');
  const [again, setAgain] = useState('');
  const [complaint, setComplaint] = useState<'weak' | 'differ' | null>(null);
  const [strength, setStrength] = useState<Strength | null>(null);
  const judge = useJudge();
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (autofocus) first.current?.focus();
  }, []);
  useEffect(() => {
    if (value === '') return setStrength(null);
    let dropped = false;
    void judge().then(
      (judged) => dropped || setStrength(judged(value)),
      () => {},
    );
    return () => void (dropped = true);
  }, [value]);

  const typed = (set: (text: string) => void) => (text: string) => {
    set(text);
    setComplaint(null);
    onChange();
  };
  return {
    value,
    complete: value !== '' && again !== '',
    fields: (
      <>
        <SecretField
          inputRef={first}
          label={label}
          autocomplete="new-password"
          value={value}
          error={complaint === 'weak' || refused ? t.password.weak : null}
          hint={<StrengthMeter strength={strength} />}
          onInput={typed(setValue)}
        />
        <SecretField
          inputRef={second}
          label={t.password.again}
          autocomplete="new-password"
          value={again}
          error={complaint === 'differ' ? t.password.differ : null}
          onInput={typed(setAgain)}
        />
      </>
    ),
    async accepted() {
      const { score } = (await judge())(value);
      const found = score < MIN_PASSWORD_SCORE ? 'weak' : value === again ? null : 'differ';
      setComplaint(found);
      if (found !== null) (found === 'weak' ? first : second).current?.focus();
      return found === null;
    },
  };
}

/**
 * Loads the strength estimator when the fields appear. If loading fails, the estimator is loaded again when it is
 * needed.
 */
function useJudge() {
  const loading = useRef<ReturnType<typeof loadEstimator> | null>(null);
  const judge = () => {
    loading.current ??= loadEstimator().catch((cause: unknown) => {
      loading.current = null;
      throw new ServiceError('internal', { cause });
    });
    return loading.current;
  };
  useEffect(() => void judge().catch(() => {}), []);
  return judge;
}
