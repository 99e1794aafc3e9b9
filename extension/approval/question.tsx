import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Network } from '../../protocol/bitcoin/address.ts';
import { Asker } from './asker.tsx';
import { NetworkNote } from './payment/network-note.tsx';

interface QuestionProps {
  view: { origin: string; network: Network };
  title: string;
  /** The site's request in the wallet's own words. */
  asks: string;
  /** When this value changes, focus returns to the start of the prompt. */
  part?: unknown;
  children: ComponentChildren;
}

/** Shows the part to read before the decision: the network, the site, its request, and the details. */
export function Question({ view, title, asks, part, children }: QuestionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // No button is focused, because Enter must not approve if the window opens while the user is typing in another
  // window.
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
