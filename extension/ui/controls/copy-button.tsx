import { useEffect, useState } from 'preact/hooks';
import { CheckIcon, CopyIcon } from './icons.tsx';
import { texts } from '../texts/texts.ts';

interface CopyButtonProps {
  text: string;
  /** The label, such as "Copy address". */
  label: string;
  primary?: boolean;
  /** Just "Copy", if the text is next to it. Screen readers still speak the whole label. */
  short?: boolean;
}

/** Copies a public text (an address, a transaction id) and confirms it. Never used for secrets. */
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
