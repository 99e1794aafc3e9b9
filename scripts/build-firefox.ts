/** `npm run build:firefox`: builds everything, including the Firefox package, and prints instructions. */
import { buildAll } from './build.ts';
import { listPackages, serviceAddress } from './build-wallet.ts';

const { wallet } = await buildAll(serviceAddress());
console.log(`Built dist/firefox, and packed it as dist/wallet-firefox.zip.

To try it: open about:debugging#/runtime/this-firefox in Firefox, choose "Load Temporary Add-on…" and select that file.
Firefox removes the add-on and its wallet when it closes. docs/firefox.md explains how to get it signed.

${listPackages(wallet)}`);
