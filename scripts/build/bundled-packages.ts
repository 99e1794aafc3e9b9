import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Returns a module's package if the build contains any of its code, otherwise null. */
function packageOf(id: string, renderedLength: number): string | null {
  const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
  return name && renderedLength > 0 ? name : null;
}

const packagesOf = (modules: Record<string, { renderedLength: number }>): string[] => [
  ...new Set(Object.entries(modules).flatMap(([id, { renderedLength }]) => packageOf(id, renderedLength) ?? [])),
];

/** Returns a plugin that adds all packages with code in the build to `bundled`. */
export function notesPackages(bundled: Set<string>): Plugin {
  return {
    name: 'bundled-packages',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk') for (const name of packagesOf(chunk.modules)) bundled.add(name);
    },
  };
}

/** Prepends the licenses of bundled packages to a script, as a comment, because it is distributed separately. */
export const givesLicenses: Plugin = {
  name: 'bundled-licenses',
  async generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      for (const name of packagesOf(chunk.modules).toSorted().toReversed())
        chunk.code = `/*! Contains code of ${name}:\n${(await licenseText(name)).replaceAll('*/', '* /')}\n*/\n${chunk.code}`;
    }
  },
};

export async function licenseText(name: string): Promise<string> {
  return (await readFile(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8')).trim();
}
