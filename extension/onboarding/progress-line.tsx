/** Shows all steps and highlights the current one. */
import { onboardingTexts as t } from '../ui/texts/texts.ts';

export function ProgressLine({ step }: { step: number }) {
  return (
    <nav aria-label={t.stepOf({ n: step + 1, of: t.steps.length })}>
      <ol class="progress-line">
        {t.steps.map((name, i) => (
          <li key={name} class={i < step ? 'done' : ''} aria-current={i === step ? 'step' : undefined}>
            {name}
          </li>
        ))}
      </ol>
    </nav>
  );
}
