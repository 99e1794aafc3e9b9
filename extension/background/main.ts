/**
 * The service worker. It may be stopped between any two lines and restarted by the next event, so all lasting state is
 * in the database.
 */
import { browserPlatform } from './browser-platform.ts';
import { createWallet } from './platform.ts';
import { start } from './start.ts';

start(createWallet(browserPlatform()));
