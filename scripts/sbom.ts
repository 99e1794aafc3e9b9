/**
 * `npm run sbom`: writes the software bill of materials (CycloneDX 1.5) to dist/sbom.json. It lists every package that
 * an installation without development dependencies can contain, on any platform. The result is reproducible from the
 * lock file.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shippedLock, shippedPackages } from './build/shipped-packages.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILE = 'dist/sbom.json';

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
  devDependencies: object;
};

interface Component {
  'bom-ref': string;
  name: string;
  version: string;
  licenses?: { license: { id: string } | { name: string } }[];
  hashes?: { alg: string; content: string }[];
  externalReferences?: unknown[];
}

interface BillOfMaterials {
  serialNumber?: string;
  metadata: { timestamp?: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** Returns the bill of materials for the shipped packages. @throws Error if npm omits a package */
export function billOfMaterials(): BillOfMaterials {
  const { serialNumber: _random, metadata, components, ...rest } = listedByNpm();
  const shipped = new Map(shippedPackages().map((one) => [`${one.name}@${one.version}`, one]));
  const listed = new Set(components.map((one) => one['bom-ref']));
  const missing = [...shipped.keys()].filter((ref) => !listed.has(ref));
  if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(', ')}`);
  const { timestamp: _now, component, ...about } = metadata;
  return {
    ...rest,
    // npm names the component after the folder.
    metadata: { ...about, component: { ...component, name: manifest.name, version: manifest.version } },
    components: components.map((one) => ({
      ...one,
      // Removed, because the download location depends on the machine.
      externalReferences: [],
      licenses: [{ license: licenseOf(shipped.get(one['bom-ref'])?.license ?? 'none') }],
    })),
  };
}

/**
 * Returns npm's output for an actual installation without development dependencies. `npm sbom --omit=dev` can't be
 * used, because it also omits shipped packages that development packages need.
 */
function listedByNpm(): BillOfMaterials {
  const folder = mkdtempSync(join(tmpdir(), 'sbom-'));
  try {
    const { devDependencies: _development, ...shippedManifest } = manifest;
    writeFileSync(join(folder, 'package.json'), JSON.stringify(shippedManifest));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(shippedLock()));
    const npm = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 * 2 ** 20,
      shell: process.platform === 'win32',
    });
    if (npm.status !== 0) throw new Error(`npm sbom failed:\n${npm.stderr}`);
    return JSON.parse(npm.stdout) as BillOfMaterials;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a license in CycloneDX's format: an SPDX ID, or a name. */
const licenseOf = (license: string) => (license.includes(' ') ? { name: license } : { id: license });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const bill = billOfMaterials();
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(join(ROOT, FILE), `${JSON.stringify(bill, null, 2)}\n`);
  const count = new Map<string, number>();
  for (const { license } of shippedPackages()) count.set(license, (count.get(license) ?? 0) + 1);
  console.log(`${FILE}: ${bill.components.length} packages.`);
  for (const [license, packages] of [...count].toSorted(([, a], [, b]) => b - a))
    console.log(`  ${packages} ${license}`);
}
