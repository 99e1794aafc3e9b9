/**
 * The button builds that the service offers: the current one in dist/, and all builds stored at earlier starts, for
 * pages that pinned a version.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import {
  isVersionName,
  MANIFEST,
  readBuild,
  SCRIPT,
  scriptOf,
  type ButtonBuild,
  type ButtonManifest,
} from './button-build.ts';

const gzipped = promisify(gzip);
const brotli = promisify(brotliCompress);

/** A file as sent, precompressed once for all clients. */
export interface PackedFile {
  identity: Buffer;
  gzip: Buffer;
  br: Buffer;
}

export interface PackedBuild {
  manifest: ButtonManifest;
  /** The script with this service's URL. The versioned path serves the script as built. */
  script: PackedFile;
  files: ReadonlyMap<string, PackedFile>;
}

async function packFile(identity: Buffer): Promise<PackedFile> {
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  };
  return { identity, gzip: await gzipped(identity, { level: 9 }), br: await brotli(identity, { params }) };
}

async function pack({ manifest, files }: ButtonBuild, service: string | null): Promise<PackedBuild> {
  const packed = new Map(
    await Promise.all([...files].map(async ([name, bytes]) => [name, await packFile(bytes)] as const)),
  );
  const script = files.get(SCRIPT)!;
  return {
    manifest,
    files: packed,
    script: service === null ? packed.get(SCRIPT)! : await packFile(scriptOf(service, manifest.version, script)),
  };
}

export class ButtonStore {
  readonly #dist: string;
  readonly #kept: string;
  readonly #onError: (error: unknown) => void;
  readonly #service: string | null;
  readonly #versions = new Map<string, Promise<PackedBuild | null>>();
  #current: PackedBuild | null = null;
  #seen = '';
  #reading: Promise<void> | null = null;

  /**
   * @param kept directory of all builds, with a subdirectory per version; several services may share it
   * @param onError called if a build can't be stored, in which case it is served only while it is the current one
   * @param service the service's origin for the script; null serves the script as built
   */
  constructor(dist: string, kept: string, onError: (error: unknown) => void, service: string | null = null) {
    this.#dist = dist;
    this.#kept = kept;
    this.#onError = onError;
    this.#service = service;
  }

  /** Returns the current build, or null if there is none. A new build is read and stored first. */
  async current(): Promise<PackedBuild | null> {
    const seen = await stat(join(this.#dist, MANIFEST)).then(
      ({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`,
      () => '',
    );
    // The build script writes the manifest last, and the previous build is used until then.
    if (seen !== '' && seen !== this.#seen) {
      this.#reading ??= this.#read(seen).finally(() => (this.#reading = null));
      await this.#reading;
    }
    return this.#current;
  }

  version(version: string): Promise<PackedBuild | null> {
    if (version === this.#current?.manifest.version) return Promise.resolve(this.#current);
    if (!isVersionName(version)) return Promise.resolve(null);
    const known = this.#versions.get(version);
    if (known) return known;
    const found = this.#keptVersion(version);
    this.#versions.set(version, found);
    // Missing builds aren't cached, because another service that shares the directory might add them.
    found.then(
      (build) => build ?? this.#versions.delete(version),
      () => this.#versions.delete(version),
    );
    return found;
  }

  async #keptVersion(version: string): Promise<PackedBuild | null> {
    const build = await readBuild(join(this.#kept, version));
    return build?.manifest.version === version ? pack(build, null) : null;
  }

  async #read(seen: string): Promise<void> {
    const build = await readBuild(this.#dist);
    if (!build) return;
    this.#current = await pack(build, this.#service);
    this.#seen = seen;
    await this.#keep(build).catch(this.#onError);
  }

  /** Stores a build atomically. Other services can store the same build concurrently. */
  async #keep({ manifest, files }: ButtonBuild): Promise<void> {
    const folder = join(this.#kept, manifest.version);
    const isKept = async () => (await readBuild(folder))?.manifest.version === manifest.version;
    if (await isKept()) return;
    const made = join(this.#kept, `.new-${randomBytes(8).toString('hex')}`);
    await mkdir(made, { recursive: true });
    try {
      for (const [name, bytes] of files) await writeFile(join(made, name), bytes);
      await writeFile(join(made, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
      await rename(made, folder).catch(async (error: unknown) => {
        if (await isKept()) return;
        if (!(await stat(folder).catch(() => null))) throw error;
        // The existing directory is incomplete, for example after a power failure.
        await rm(folder, { recursive: true });
        await rename(made, folder);
      });
    } finally {
      await rm(made, { recursive: true, force: true });
    }
  }
}

export async function openButtonStore(
  dist: string,
  kept: string,
  onError: (error: unknown) => void,
  service: string | null = null,
): Promise<ButtonStore> {
  const store = new ButtonStore(dist, kept, onError, service);
  await store.current();
  return store;
}
