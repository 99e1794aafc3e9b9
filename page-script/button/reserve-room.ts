/** Prevents layout shifts: elements that will become buttons have their size from the start. */
import { adoptStyle } from './elements.ts';
import css from './reserve-room.css?inline';

export function reserveRoom(document: Document): void {
  adoptStyle(document, css);
}
