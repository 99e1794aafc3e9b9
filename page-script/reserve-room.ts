/**
 * Keeps the page from jumping when its buttons are drawn: elements that will be buttons have their size from the start.
 */
import { adoptStyle } from './elements.ts';
import css from './reserve-room.css?inline';

/** Says so to the document. */
export function reserveRoom(document: Document): void {
  adoptStyle(document, css);
}
