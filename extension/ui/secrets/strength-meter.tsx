import { MIN_PASSWORD_SCORE, type Strength } from './strength.ts';
import { secretTexts as t } from '../texts/texts.ts';

/** Shows a password's strength: five bars, a word, and advice. `strength` is null until something is typed. */
export function StrengthMeter({ strength }: { strength: Strength | null }) {
  const level =
    strength === null
      ? ''
      : strength.score >= MIN_PASSWORD_SCORE
        ? 'strength-good'
        : strength.score === 2
          ? 'strength-fair'
          : 'strength-weak';
  return (
    <div class={`strength ${level}`}>
      <div class="strength-bars" aria-hidden="true">
        {[0, 1, 2, 3, 4].map((i) => (
          <span key={i} class={strength !== null && i <= strength.score ? 'on' : ''} />
        ))}
      </div>
      <p role="status">
        {strength === null ? (
          t.password.advice
        ) : (
          <>
            <strong>{t.password.levels[strength.score]}.</strong>
            {strength.score < MIN_PASSWORD_SCORE && ` ${strength.advice ?? t.password.advice}`}
          </>
        )}
      </p>
    </div>
  );
}
