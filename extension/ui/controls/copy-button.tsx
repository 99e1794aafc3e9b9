import { useEffect, useState } from 'preact/hooks';
import { CheckIcon, CopyIcon } from './icons.tsx';
import { texts } from '../texts/texts.ts';

interface CopyButtonProps {
  text: string;
  label: string;
  primary?: boolean;
  /** True to show only "Copy", because the text is next to the button. Screen readers still read the full label. */
  short?: boolean;
}

/** Copies public text (such as an address or a transaction ID) and shows a confirmation. Never used for secrets. */
export function CopyButton({ text, label, primary = false, short = false }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  useEffect(() => {
    if (state === 'ready') return undefined;
    const timer = setTimeout(() => setState('ready'), 2500);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  return (
    <>
      <button
        type="button"
        class={`button ${primary ? 'button-primary' : 'button-quiet button-small'}`}
        aria-label={label}
        onClick={copy}
      >
        {state === 'copied' ? <CheckIcon size={primary ? 18 : 14} /> : <CopyIcon size={primary ? 18 : 14} />}
        {state === 'ready' && !short ? label : texts.copy[state]}
      </button>
      <span class="visually-hidden" role="status">
        {state === 'ready' ? '' : texts.copy[state]}
      </span>
    </>
  );
}
