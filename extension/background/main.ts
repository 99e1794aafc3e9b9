/**
 * Entry point for the service worker. The browser can stop the worker at any time and restart it for the next event, so
 * all persistent state is in the database.
 */
import { browserPlatform } from './browser-platform.ts';
import { createWallet } from '../../wallet/platform.ts';
import { startExtension } from './start.ts';

startExtension(createWallet(browserPlatform()));
