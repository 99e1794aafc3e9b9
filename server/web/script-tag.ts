import type { ButtonManifest } from './button-build.ts';

/**
 * Returns HTML that loads a specific build of the button: its script, and the part with wallet links and error help.
 * @param baseUrl the service's origin
 */
export function scriptTag(baseUrl: string, manifest: Pick<ButtonManifest, 'path' | 'integrity' | 'parts'>): string {
  const { help } = manifest.parts;
  return [manifest, ...(help ? [help] : [])]
    .map(
      ({ path, integrity }) => `<script src="${baseUrl}${path}"
  integrity="${integrity}"
  crossorigin="anonymous" defer></script>`,
    )
    .join('\n');
}
