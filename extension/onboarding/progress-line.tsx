/** Where the user is among the steps. */
import { onboardingTexts as t } from '../ui/texts-onboarding.ts';

/** `step` counts from 0. */
export function ProgressLine({ step }: { step: number }) {
  return (
    <ol class="progress-line" aria-label={t.stepOf(step + 1, t.steps.length)}>
      {t.steps.map((name, i) => (
        <li key={name} class={i < step ? 'done' : ''} aria-current={i === step ? 'step' : undefined}>
          {name}
        </li>
      ))}
    </ol>
  );
}
