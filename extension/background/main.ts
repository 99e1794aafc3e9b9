/**
 * The service worker. It may be stopped between any two lines and restarted by the next event, so all lasting state is
 * in the database.
 */
import { browserPlatform } from './browser-platform.ts';
import { createWallet } from '../../wallet/platform.ts';
import { startExtension } from './start.ts';

startExtension(createWallet(browserPlatform()));
