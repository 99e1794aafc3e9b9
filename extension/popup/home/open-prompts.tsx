import { useEffect, useState } from 'preact/hooks';
import type { OpenPrompt } from '../../../protocol/messages/wallet-messages.ts';
import { call, onChanges } from '../../ui/window/call.ts';
import { hostOf } from '../../ui/sites/origin.ts';
import { texts } from '../../ui/texts/texts.ts';

/** Lists the prompts that are waiting for a decision. Selecting a prompt brings its window to the front. */
export function OpenPrompts() {
  const [prompts, setPrompts] = useState<OpenPrompt[]>([]);
  useEffect(() => {
    const read = () =>
      void call('prompts/list', {}).then(
        (answer) => setPrompts(answer.prompts),
        () => setPrompts([]),
      );
    read();
    return onChanges(read);
  }, []);
  if (prompts.length === 0) return null;
  return (
    <section class="open-prompts" aria-label={texts.popup.prompts.title}>
      <ul class="card card-flush list">
        {prompts.map(({ id, kind, origin }) => (
          <li key={id}>
            <button
              type="button"
              class="open-prompt"
              onClick={() =>
                void call('prompts/show', { id }).then(
                  () => window.close(),
                  () => {},
                )
              }
            >
              <span>
                <strong>{texts.popup.prompts.kinds[kind]}</strong>
                <span class="small muted open-prompt-site anywhere">{hostOf(origin)}</span>
              </span>
              <span class="small">{texts.popup.prompts.show}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
