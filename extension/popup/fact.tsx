import type { ComponentChildren } from 'preact';

/** Shows a name and its value. Renders nothing if there is no value. */
export function Fact({ name, mono = false, children }: { name: string; mono?: boolean; children: ComponentChildren }) {
  if (children === null || children === undefined || children === false || children === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd class={mono ? 'mono' : undefined}>{children}</dd>
    </>
  );
}
