import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from './system.ts';

/**
 * Opens a browser if one is installed and there is a display. Prints a message if the browser doesn't start.
 * @param page the first page's URL
 * @param extension the extension's folder
 * @param dataDirectory the profile's folder
 */
export async function openBrowser(
  page: string,
  extension: string,
  dataDirectory = process.env.DATA_DIR ?? './data',
): Promise<void> {
  const display = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  const executablePath = findBrowser();
  if (!display || !executablePath || process.env.CI || !existsSync(extension)) return;
  try {
    const { launch } = await import('puppeteer-core');
    const userDataDir = join(dataDirectory, 'browser');
    switchOnDeveloperMode(userDataDir);
    const browser = await launch({
      executablePath,
      headless: false,
      pipe: true,
      enableExtensions: [extension],
      defaultViewport: null,
      userDataDir,
      args: ['--no-first-run', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    });
    const tab = await browser.newPage();
    await tab.goto(page);
  } catch (error) {
    console.log(
      `  (A browser could not be opened: ${error instanceof Error ? error.message.split('\n')[0] : String(error)})`,
    );
  }
}

/** Turns on developer mode. Otherwise, the browser disables an unpacked extension that reloads itself. */
function switchOnDeveloperMode(userDataDir: string): void {
  const path = join(userDataDir, 'Default/Preferences');
  const preferences = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Preferences) : {};
  const { extensions } = preferences;
  mkdirSync(join(userDataDir, 'Default'), { recursive: true });
  writeFileSync(
    path,
    JSON.stringify({
      ...preferences,
      extensions: { ...extensions, ui: { ...extensions?.ui, developer_mode: true } },
    }),
  );
}

interface Preferences {
  extensions?: { ui?: object };
}
