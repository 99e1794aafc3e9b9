/**
 * Shows a paymail's picture, or initials in a colored circle. Hidden from screen readers, because the name is next to
 * it.
 */
import { useEffect, useState } from 'preact/hooks';
import { lookAlike } from '../../../protocol/text/look-alike.ts';
import { call } from '../window/call.ts';

/** Number of avatar colors in avatar.css. */
const COLORS = 6;

interface AvatarProps {
  /** The paymail, or the site's host, from which the initials and the color are derived. */
  name: string;
  /** The paymail whose picture is shown, or null. */
  paymail: string | null;
  /**
   * True if the service may be queried for the picture. Set only for people who paid the user, whom the user paid, or
   * whose paymail the user typed.
   */
  ask?: boolean;
  small?: boolean;
}

/** Shows a picture or initials. */
export function Avatar({ name, paymail, ask = false, small = false }: AvatarProps) {
  const picture = usePicture(paymail, ask);
  return (
    // The style sheet draws the initials so that they aren't copied along with the name.
    <span
      class={`avatar avatar-${colorOf(name)} ${small ? 'avatar-small' : ''}`}
      data-initials={initialsOf(name)}
      aria-hidden="true"
    >
      {picture !== null && <img src={picture} alt="" />}
    </span>
  );
}

/** Loads a picture, except for a look-alike name, because a picture would make the name more credible. */
function usePicture(paymail: string | null, ask: boolean): string | null {
  const [picture, setPicture] = useState<string | null>(null);
  const whose = paymail !== null && lookAlike(paymail) === null ? paymail : null;
  useEffect(() => {
    let current = true;
    setPicture(null);
    if (whose !== null)
      call(ask ? 'avatars/fetch' : 'avatars/kept', { paymail: whose }).then(
        (answer) => current && setPicture(answer.picture),
        () => undefined, // Shows initials instead.
      );
    return () => void (current = false);
  }, [whose, ask]);
  return picture;
}

/** Returns one letter, or two if the alias has several words. Returns '' if there are no letters. */
export function initialsOf(name: string): string {
  const [head = ''] = name.replace(/^www\./, '').split('@');
  const words = name.includes('@') ? head.split(/[^\p{L}\p{N}]+/u) : [head];
  const letters = words.flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  return [letters[0], letters.length > 1 ? letters.at(-1) : ''].join('').toUpperCase();
}

/** Returns the number of a name's avatar color, which never changes. */
export function colorOf(name: string): number {
  return [...name.toLowerCase()].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7) % COLORS;
}
