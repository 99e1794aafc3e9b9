/** The element by which a page includes the button. */
import type { ButtonManifest } from './button-build.ts';

/**
 * HTML for a page that includes exactly one build of the button, as text.
 * @param baseUrl the service's origin
 */
export function scriptTag(baseUrl: string, { path, integrity }: Pick<ButtonManifest, 'path' | 'integrity'>): string {
  return `<script src="${baseUrl}${path}"
  integrity="${integrity}"
  crossorigin="anonymous" defer></script>`;
}
