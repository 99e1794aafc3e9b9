/** Entry of `dist/button.js`, the script that pages include. */
import { install } from './install.ts';
import { whenPageHasLoaded } from './page-load.ts';
import { setPartLoader } from './parts.ts';
import { reserveRoom } from './reserve-room.ts';
import { partScripts, thisScript } from './script.ts';

/** The names of this script's parts; written by the build. */
declare const __PARTS__: readonly string[];

const script = thisScript(document);
// A page may include a copy of the script from somewhere else and name the service in `data-service`.
const { origin, protocol } = new URL(script?.dataset.service || script?.src || 'about:blank', document.baseURI);
// A second copy of the script finds the first, and leaves the buttons to it.
const { scan, observe } = install(window, protocol.startsWith('http') ? `${origin}/` : null);
// A page that pins the bytes of this script gets nothing that it has not pinned as well: it includes the parts itself.
if (script?.src && !script.integrity) setPartLoader(partScripts(script), __PARTS__);
reserveRoom(document);
whenPageHasLoaded(window, () => scan());
if (script?.dataset.observe !== 'false') observe(true);
