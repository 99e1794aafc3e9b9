/** The elements by which a page includes the button. */
import type { ButtonManifest } from './button-build.ts';

/**
 * HTML for a page that includes exactly one build of the button, as text: its script, and the part that every page may need, with
 * the ways to a wallet and what to do about an error.
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
