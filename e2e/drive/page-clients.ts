/** Bundles third-party OAuth clients into a script, for pages without a server. */
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import type * as oidc from 'oidc-client-ts';
import type * as openid from 'openid-client';

declare global {
  interface Window {
    openid: typeof openid;
    oidc: typeof oidc;
  }
}

const ENTRY = 'virtual:page-clients';

/** Bundles the OAuth clients for browsers, as applications do. @returns a classic script */
export async function bundlePageClients(): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(new URL('../..', import.meta.url)),
    publicDir: false,
    plugins: [
      {
        name: 'page-clients',
        resolveId: (id) => (id === ENTRY ? id : null),
        load: (id) =>
          id === ENTRY
            ? "import * as openid from 'openid-client'; import * as oidc from 'oidc-client-ts'; Object.assign(window, { openid, oidc });"
            : null,
      },
    ],
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rollupOptions: { input: ENTRY, output: { format: 'iife' } },
    },
  })) as Rolldown.RolldownOutput;
  return built.output[0].code;
}
