/**
 * Drawings of the steps to install the wallet, colored by assets/install.css. Hidden from screen readers, because the
 * step's text has the same content.
 */
import { html, type Html } from '../page/html.ts';

/** Draws the frame of all drawings: a 320 × 132 window with an address bar. */
const inWindow = (
  address: string,
  content: Html,
) => html`<svg class="drawing" direction="ltr" viewBox="0 0 320 132" aria-hidden="true" focusable="false">
<rect class="drawing-window" x="1" y="1" width="318" height="130" rx="8"/>
<circle class="drawing-quiet" cx="14" cy="15" r="3.5"/><circle class="drawing-quiet" cx="25" cy="15" r="3.5"/><circle class="drawing-quiet" cx="36" cy="15" r="3.5"/>
<rect class="drawing-field" x="50" y="7" width="256" height="16" rx="8"/><text class="drawing-text" x="60" y="18.5">${address}</text>
<path class="drawing-line" d="M1 30h318"/>
${content}
</svg>`;

/** Draws the control to click, with a ring around it. */
const press = (
  x: number,
  y: number,
  width: number,
  text: string,
) => html`<rect class="drawing-button" x="${x}" y="${y}" width="${width}" height="20" rx="10"/>
<text class="drawing-strong" x="${x + width / 2}" y="${y + 13.5}" text-anchor="middle">${text}</text>
<rect class="drawing-ring" x="${x - 5}" y="${y - 5}" width="${width + 10}" height="30" rx="15"/>`;

const quiet = (x: number, y: number, width: number) =>
  html`<rect class="drawing-field" x="${x}" y="${y}" width="${width}" height="20" rx="10"/>`;

/** Draws Chrome's developer mode switch, at the right of the toolbar on the extensions page. */
export const developerMode = (address: string): Html =>
  inWindow(
    address,
    html`<text class="drawing-title" x="16" y="53">Extensions</text>
<text class="drawing-strong" x="262" y="53" text-anchor="end">Developer mode</text>
<rect class="drawing-on" x="272" y="43" width="26" height="14" rx="7"/><circle class="drawing-knob" cx="291" cy="50" r="5"/>
<rect class="drawing-ring" x="154" y="36" width="154" height="28" rx="14"/>
${quiet(16, 82, 84)}${quiet(108, 82, 84)}`,
  );

/** Draws Edge's switch, in the left column. */
export const developerModeOfEdge = (address: string): Html =>
  inWindow(
    address,
    html`<path class="drawing-line" d="M152 30v101"/>
<text class="drawing-title" x="16" y="53">Extensions</text>
<text class="drawing-strong" x="16" y="108">Developer mode</text>
<rect class="drawing-on" x="116" y="98" width="26" height="14" rx="7"/><circle class="drawing-knob" cx="135" cy="105" r="5"/>
<rect class="drawing-ring" x="6" y="91" width="142" height="28" rx="14"/>
${quiet(166, 44, 64)}${quiet(238, 44, 64)}`,
  );

/** Draws the button to select a folder. */
export const loadUnpacked = (address: string, x = 16): Html =>
  inWindow(
    address,
    html`<text class="drawing-title" x="16" y="53">${x === 16 && 'Extensions'}</text>
${press(x, 76, 104, 'Load unpacked')}${quiet(x === 16 ? 134 : 116, 76, 70)}`,
  );

/** Draws Firefox's page for temporary add-ons. */
export const loadTemporaryAddOn = (address: string): Html =>
  inWindow(
    address,
    html`<path class="drawing-line" d="M88 30v101"/>
<text class="drawing-text" x="14" y="52">This Firefox</text>
<text class="drawing-title" x="104" y="55">Temporary Extensions</text>
${press(104, 82, 168, 'Load Temporary Add-on…')}`,
  );

const FOLDER = 'M0 3a2 2 0 0 1 2-2h5l2.5 2.5h7.5a2 2 0 0 1 2 2v8.5a2 2 0 0 1-2 2H2a2 2 0 0 1-2-2z';
const FILE = 'M2 0h8l5 5v11a1 1 0 0 1-1 1H2a1 1 0 0 1-1-1V1a1 1 0 0 1 1-1z';

export function chooseFile(name: string, kind: 'folder' | 'file'): Html {
  return html`<svg class="drawing" direction="ltr" viewBox="0 0 320 132" aria-hidden="true" focusable="false">
<rect class="drawing-window" x="1" y="1" width="318" height="130" rx="8"/>
<text class="drawing-text" x="16" y="21">${kind === 'folder' ? 'Select a folder' : 'Select a file'}</text>
<path class="drawing-line" d="M1 32h318"/>
<rect class="drawing-row" x="10" y="42" width="300" height="28" rx="6"/>
<path class="drawing-icon" transform="translate(20 48)" d="${kind === 'folder' ? FOLDER : FILE}"/><text class="drawing-strong" x="46" y="60.5">${name}</text>
${quiet(132, 96, 80)}
<rect class="drawing-primary" x="222" y="96" width="84" height="20" rx="10"/><text class="drawing-on-primary" x="264" y="109.5" text-anchor="middle">${kind === 'folder' ? 'Select' : 'Open'}</text>
</svg>`;
}

/** A button on a phone without a wallet. The QR code to its right opens the payment in another wallet. */
export const buttonWithCode: Html = html`<svg class="drawing drawing-button-picture" direction="ltr" viewBox="0 0 260 56" aria-hidden="true" focusable="false">
<rect class="drawing-button" x="4" y="4" width="196" height="48" rx="24"/><circle class="drawing-primary" cx="28" cy="28" r="20"/>
<text class="drawing-title" x="116" y="33" text-anchor="middle">Get the wallet</text>
<rect class="drawing-button" x="208" y="4" width="48" height="48" rx="24"/>
<path class="drawing-code" d="M221 17h8v8h-8zM235 17h8v8h-8zM221 31h8v8h-8zM235 31h3v3h-3zM240 36h3v3h-3z"/>
</svg>`;
