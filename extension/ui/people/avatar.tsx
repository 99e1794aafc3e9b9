/** A paymail's picture, or initials in a colored circle. It is next to the name, so screen readers skip it. */
import { useEffect, useState } from 'preact/hooks';
import { lookAlike } from '../../../protocol/text/look-alike.ts';
import { call } from '../window/call.ts';

/** Number of colors in windows.css. */
const COLOURS = 6;

interface AvatarProps {
  /** A paymail, or a site's host, which determines the initials and the color. */
  name: string;
  /** The paymail whose picture is shown; null for none. */
  paymail: string | null;
  /** True if the service may be queried for it. Only for the user's payers and recipients, and typed paymails. */
  ask?: boolean;
  small?: boolean;
}

/** A picture, or initials. */
export function Avatar({ name, paymail, ask = false, small = false }: AvatarProps) {
  const picture = usePicture(paymail, ask);
  return (
    // The style sheet draws the initials, so that they aren't copied with the name next to them.
    <span
      class={`avatar avatar-${colourOf(name)} ${small ? 'avatar-small' : ''}`}
      data-initials={initialsOf(name)}
      aria-hidden="true"
    >
      {picture !== null && <img src={picture} alt="" />}
    </span>
  );
}

/** A look-alike name gets no picture, which would only confirm it. */
function usePicture(paymail: string | null, ask: boolean): string | null {
  const [picture, setPicture] = useState<string | null>(null);
  const whose = paymail !== null && lookAlike(paymail) === null ? paymail : null;
  useEffect(() => {
    let current = true;
    setPicture(null);
    if (whose !== null)
      call(ask ? 'avatars/fetch' : 'avatars/kept', { paymail: whose }).then(
        (answer) => current && setPicture(answer.picture),
        () => undefined, // initials are shown
      );
    return () => void (current = false);
  }, [whose, ask]);
  return picture;
}

/** One letter, two for an alias of several words; empty if there is none. */
export function initialsOf(name: string): string {
  const [head = ''] = name.replace(/^www\./, '').split('@');
  const words = name.includes('@') ? head.split(/[^\p{L}\p{N}]+/u) : [head];
  const letters = words.flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  return [letters[0], letters.length > 1 ? letters.at(-1) : ''].join('').toUpperCase();
}

/** The same color for the same name. */
export function colourOf(name: string): number {
  return [...name.toLowerCase()].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7) % COLOURS;
}
