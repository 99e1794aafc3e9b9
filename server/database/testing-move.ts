/** For tests: what move.test.ts and move.full.test.ts share. */
import { fileURLToPath } from 'node:url';

export const SCRIPT = fileURLToPath(new URL('../../scripts/move-database.ts', import.meta.url));
export const now = new Date('2026-01-02T03:04:05.678Z');
export const details = {
  name: 'Shop "é" \\ \u{1F600}',
  url: 'https://shop.example',
  description: 'a\nb',
  redirectUri: null,
  webhookUrl: null,
  requirePkce: false,
  requireSecret: true,
};
export const registration = (handle: string) => ({ handle, name: 'A Name', receivingXpub: 'xpub' });
