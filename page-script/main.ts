/** Entry point for `dist/button.js`, the script that pages include. */
import { BUTTON_HOME } from '../protocol/text/product.ts';
import { install } from './install.ts';
import { whenPageHasLoaded } from './page/page-load.ts';
import { setPartLoader } from './page/parts.ts';
import { adoptStyle } from './button/elements.ts';
import reserveRoom from './button/reserve-room.css?inline';
import { homeOf, partScripts, thisScript } from './page/script.ts';

/** The names of this script's parts, inserted by the build. */
declare const __PARTS__: readonly string[];

const script = thisScript(document);
const { service, addressOf } = homeOf(script, BUTTON_HOME, document.baseURI);
// A second copy of the script uses the API of the first copy, which creates the buttons.
const { scan, observe } = install(window, service, !service);
// If the page pins this script with a hash, the script doesn't load its parts, because they aren't pinned.
if (addressOf && !script?.integrity) setPartLoader(partScripts(script, addressOf), __PARTS__);
// Gives elements the size of a button from the start, to prevent layout shifts.
adoptStyle(document, reserveRoom);
whenPageHasLoaded(window, () => scan());
if (script?.dataset.observe !== 'false') observe(true);
