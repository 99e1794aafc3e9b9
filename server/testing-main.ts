import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { startServer } from './main.ts';

export const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const directories: string[] = [];
export const newDirectory = () => {
  const directory = mkdtempSync(join(tmpdir(), 'server-'));
  directories.push(directory);
  return directory;
};
afterAll(() => directories.forEach((directory) => rmSync(directory, { recursive: true, force: true })));

export const log = { text: '' };
export const start = (env: Record<string, string>) =>
  startServer(
    { PORT: '0', LOG_LEVEL: 'trace', BLOCK_INTERVAL_MS: '0', ...env },
    { logTo: { write: (line) => void (log.text += line) }, print: () => {} },
  );

export const shopAddressOf = async (url: string) =>
  /data-to="([^"]+)"/.exec(await (await fetch(`${url}/shop`)).text())?.[1] ?? '';
