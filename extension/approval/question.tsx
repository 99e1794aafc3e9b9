import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Network } from '../../protocol/address.ts';
import { Asker } from './asker.tsx';
import { NetworkNote } from './network-note.tsx';

interface QuestionProps {
  view: { origin: string; network: Network };
  /** Of the window, for those who hear it. */
  title: string;
  /** What the site requests, in the wallet's words. */
  asks: string;
  /** With another value it is read from the start again. */
  part?: unknown;
  children: ComponentChildren;
}

/** What is read in a window before deciding: the network, which site asks for what, and all that belongs to it. */
export function Question({ view, title, asks, part, children }: QuestionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Not on a button: the window can open while the user is typing elsewhere, and Enter must not decide.
  useLayoutEffect(() => heading.current?.focus(), [part]);
  return (
    <main class="approval-body">
      <h1 class="visually-hidden" tabIndex={-1} ref={heading}>
        {title}
      </h1>
      <NetworkNote network={view.network} />
      <Asker origin={view.origin} asks={asks} />
      {children}
    </main>
  );
}
