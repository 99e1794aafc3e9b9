/** Maps a changed file to parts of the product. */

/** A part of the product that `npm run dev` rebuilds or restarts. */
export type Part = 'button' | 'extension' | 'service';

const PARTS: readonly (readonly [place: RegExp, parts: readonly Part[]])[] = [
  [/^(?:protocol|look)\//, ['button', 'extension', 'service']],
  [/^(?:page-script\/|vite\.button\.config\.ts$)/, ['button']],
  [/^(?:extension\/|wallet\/|manifest\.json$|vite\.config\.ts$)/, ['extension']],
  [/^server\//, ['service']],
];

export const WATCHED = [
  'protocol',
  'look',
  'page-script',
  'extension',
  'wallet',
  'server',
  'manifest.json',
  'vite.config.ts',
  'vite.button.config.ts',
];

/** Returns the parts to rebuild after a change. @param path the file's path from the project's folder, with slashes */
export function affectedBy(path: string): readonly Part[] {
  // Test files, and temporary files of editors.
  if (/\.test\.tsx?$|(?:^|\/)(?:testing|\.)[^/]*(?:\/|$)|~$/.test(path)) return [];
  return PARTS.find(([place]) => place.test(path))?.[1] ?? [];
}
