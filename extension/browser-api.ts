/**
 * The extension interface under one name. The build puts it in the place of `webextension-polyfill`, whose types the sources use:
 * Firefox has `browser`, and Chrome's `chrome` returns promises from manifest version 3 on.
 */
import type { Browser } from 'webextension-polyfill';

const { browser = chrome } = globalThis as unknown as { browser?: Browser };
export default browser as Browser;
