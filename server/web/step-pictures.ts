/** Drawings of a payment's three steps for the home page. Decorative, because the text has the same content. */
import { html, type Html } from '../page/html.ts';

const picture = (shapes: Html) =>
  html`<svg class="step-picture" viewBox="0 0 200 96" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${shapes}</svg>`;

const PAGE = html`<rect x="34" y="6" width="132" height="84" rx="8"/><path d="M34 20h132"/><circle cx="42" cy="13" r="1"/><circle cx="49" cy="13" r="1"/>`;
const TRACK = html`<rect x="52" y="58" width="96" height="22" rx="11"/>`;

/** A page that requests a payment: a button below some text. */
export const REQUEST = picture(
  html`${PAGE}<path d="M52 32h72M52 42h54"/>${TRACK}<circle cx="64" cy="69" r="7" fill="currentColor"/><path d="M84 65l4 4-4 4M92 65l4 4-4 4"/>`,
);

export const DECIDES = picture(
  html`<rect x="60" y="6" width="80" height="52" rx="8"/><circle cx="76" cy="22" r="6"/><path d="M90 19h36M90 26h22"/><rect x="70" y="38" width="26" height="12" rx="6"/><rect x="104" y="38" width="26" height="12" rx="6" fill="currentColor"/><rect x="40" y="68" width="120" height="22" rx="11"/><circle cx="112" cy="79" r="7" fill="currentColor"/><path d="M56 79h40" stroke-dasharray="4 6"/>`,
);

export const PAID = picture(
  html`${PAGE}<path d="M52 32h72M52 42h54"/><rect x="52" y="58" width="96" height="22" rx="11" fill="currentColor"/><path class="step-tick" d="M92 69l6 6 11-12"/>`,
);
