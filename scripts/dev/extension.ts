/**
 * Builds the self-reloading extension for `npm run dev`. The extension is always built completely, because its content
 * security policy forbids scripts from the bundler's development server.
 */
import { join } from 'node:path';
import { build, type Plugin } from 'vite';

/** A build's ID, and the URL at which a running extension queries the newest build's ID. */
export interface DevBuild {
  id: string;
  url: string;
}

/** The output folder, separate from the published files. */
export const DEV_EXTENSION = 'dist/development/extension';

function reloading(root: string, { id, url }: DevBuild): Plugin {
  const worker = join(root, 'extension/background/main.ts').replaceAll('\\', '/');
  return {
    name: 'reload-extension',
    config: () => ({ define: { __DEV_BUILD__: JSON.stringify({ id, url }) } }),
    transform: (code, path) =>
      path === worker ? { code: `import '/scripts/dev/reload.ts';\n${code}`, map: null } : null,
  };
}

/** Builds the development extension. @param serviceUrl the service (an origin) that a new wallet uses */
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
