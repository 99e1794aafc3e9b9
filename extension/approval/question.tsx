import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Network } from '../../protocol/bitcoin/address.ts';
import { Asker } from './asker.tsx';
import { NetworkNote } from './payment/network-note.tsx';

interface QuestionProps {
  view: { origin: string; network: Network };
  title: string;
  /** The site's request, in the wallet's words. */
  asks: string;
  /** When this changes, the prompt is read again from its start. */
  part?: unknown;
  children: ComponentChildren;
}

/** The part of a window to read before deciding: the network, the site, its request, and the details. */
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
