/** Entry of `dist/button.js`, the script that pages include. */
import { BUTTON_HOME } from '../protocol/text/product.ts';
import { install } from './install.ts';
import { whenPageHasLoaded } from './page/page-load.ts';
import { setPartLoader } from './page/parts.ts';
import { adoptStyle } from './button/elements.ts';
import reserveRoom from './button/reserve-room.css?inline';
import { homeOf, partScripts, thisScript } from './page/script.ts';

/** The names of this script's parts, written by the build. */
declare const __PARTS__: readonly string[];

const script = thisScript(document);
const { service, addressOf } = homeOf(script, BUTTON_HOME, document.baseURI);
// A second copy of the script finds the first and leaves the buttons to it.
const { scan, observe } = install(window, service, !service);
// A page that pins this script's bytes gets no unpinned part, so it includes the parts itself.
if (addressOf && !script?.integrity) setPartLoader(partScripts(script, addressOf), __PARTS__);
// Prevents layout shifts: elements that will become buttons have their size from the start.
adoptStyle(document, reserveRoom);
whenPageHasLoaded(window, () => scan());
if (script?.dataset.observe !== 'false') observe(true);
