/**
 * The extension as `npm run dev` builds it: it loads itself anew. Whole builds, not the development server of the
 * bundler: that serves scripts from its own address, which the extension's content security policy forbids.
 */
import { join } from 'node:path';
import { build, type Plugin } from 'vite';

/** Which build it is, and where a running extension asks for the newest one's id. */
export interface DevBuild {
  id: string;
  url: string;
}

/** Where it is built: beside what is given out, never in its place. */
export const DEV_EXTENSION = 'dist/development/extension';

/** Adds reload.ts to the service worker. */
function reloading(root: string, { id, url }: DevBuild): Plugin {
  const worker = join(root, 'extension/background/main.ts').replaceAll('\\', '/');
  return {
    name: 'reload-extension',
    config: () => ({ define: { __DEV_BUILD__: JSON.stringify({ id, url }) } }),
    transform: (code, path) =>
      path === worker ? { code: `import '/scripts/dev/reload.ts';\n${code}`, map: null } : null,
  };
}

/**
 * Builds it.
 * @param serviceUrl the service (an origin) that a new wallet is set to use
 */
export async function buildDevExtension(root: string, serviceUrl: string, dev: DevBuild): Promise<void> {
  process.env.SERVICE_URL = serviceUrl;
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    plugins: [reloading(root, dev)],
    build: { outDir: DEV_EXTENSION, minify: false, sourcemap: 'inline' },
  });
}
