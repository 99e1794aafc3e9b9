import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { BUTTON_HOME } from '../../protocol/text/product.ts';

export const MANIFEST = 'button.json';
export const SCRIPT = 'button.js';

// Versions and parts become path segments. These patterns prevent path traversal.
const versionName = z.string().check(z.maxLength(64), z.regex(/^\d+(?:[.-][0-9a-z]+)*$/));
const partName = z.string().check(z.regex(/^[a-z]+(?:-[a-z0-9]+)*$/));

/** Schema for the manifest, `button.json`. `integrity` is in the W3C Subresource Integrity format. */
const manifest = z.strictObject({
  version: versionName,
  path: z.string(),
  integrity: z.string().check(z.regex(/^sha384-[A-Za-z0-9+/=]+$/)),
  parts: z.record(
    partName,
    z.strictObject({ path: z.string(), integrity: z.string().check(z.regex(/^sha256-[A-Za-z0-9+/=]+$/)) }),
  ),
});
/** A build's manifest. The content at `path` never changes. */
export type ButtonManifest = z.infer<typeof manifest>;

export interface ButtonBuild {
  manifest: ButtonManifest;
  /** Scripts by file name. */
  files: ReadonlyMap<string, Buffer>;
}

/** True if the text has the format of a version, whether or not the version exists. */
export const isVersionName = (text: string): boolean => versionName.safeParse(text).success;

export const partFile = (name: string): string => `button.${name}.js`;

/** Adds the service's URL to the script so that copies on other hosts find its parts. @param service its origin */
export function scriptOf(service: string, version: string, script: Buffer): Buffer {
  return Buffer.from(script.toString().replaceAll(BUTTON_HOME, `${new URL(service).origin}/button/${version}/`));
}

function integrityOf(algorithm: 'sha256' | 'sha384', bytes: Buffer): string {
  return `${algorithm}-${createHash(algorithm).update(bytes).digest('base64')}`;
}

/**
 * Creates a build's manifest. Any change to the content changes the last eight digits of the version: `LC_ALL=C;
 * sha256sum button*.js | sha256sum`.
 * @param release a release such as `1.2.0`
 * @param files the scripts by file name: {@link SCRIPT} and all parts
 */
export function manifestOf(release: string, files: ReadonlyMap<string, Buffer>): ButtonManifest {
  const version = `${release}-${digestOf(files).slice(0, 8)}`;
  const path = (file: string) => `/button/${version}/${file}`;
  const parts = [...files].flatMap(([file, bytes]) => {
    const name = /^button\.(.+)\.js$/.exec(file)?.[1];
    return name === undefined ? [] : [[name, { path: path(file), integrity: integrityOf('sha256', bytes) }] as const];
  });
  return manifest.parse({
    version,
    path: path(SCRIPT),
    integrity: integrityOf('sha384', files.get(SCRIPT) ?? Buffer.alloc(0)),
    parts: Object.fromEntries(parts.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  });
}

function digestOf(files: ReadonlyMap<string, Buffer>): string {
  const lines = [...files].map(([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`);
  // Sorted by file name, which follows the 64 hexadecimal digits of the hash.
  return createHash('sha256')
    .update(lines.toSorted((a, b) => (a.slice(64) < b.slice(64) ? -1 : 1)).join(''))
    .digest('hex');
}

/**
 * Reads the build in a directory, or returns null if it is missing or incomplete. Files that don't match the manifest's
 * hashes are never served, because browsers would reject them.
 */
export async function readBuild(directory: string): Promise<ButtonBuild | null> {
  try {
    const read = manifest.safeParse(JSON.parse(await readFile(join(directory, MANIFEST), 'utf8')));
    if (!read.success) return null;
    const found = read.data;
    const names = Object.keys(found.parts);
    const files = new Map(
      await Promise.all(
        [SCRIPT, ...names.map(partFile)].map(async (file) => [file, await readFile(join(directory, file))] as const),
      ),
    );
    const release = found.version.slice(0, -9);
    return JSON.stringify(manifestOf(release, files)) === JSON.stringify(found) ? { manifest: found, files } : null;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
