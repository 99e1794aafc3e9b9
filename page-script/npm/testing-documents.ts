/** Test helper that extracts the documents' code blocks into files of a project. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BLOCK = /^```(ts|tsx|js|html)\n([^]*?)^```$/gm;
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g;

/** A code block. The file name contains the document's name and the line. */
interface DocumentedCode {
  file: string;
  code: string;
}

async function documents(): Promise<string[]> {
  const inFolder = async (folder: string) =>
    (await readdir(join(ROOT, folder), { recursive: folder === 'docs' }))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name));
  const examples = (await readdir(join(ROOT, 'examples'), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join('examples', name));
  return (await Promise.all(['.', 'docs', 'page-script/npm', 'examples', ...examples].map(inFolder))).flat();
}

/**
 * Returns every block of TypeScript and JavaScript, and every script in HTML, each as a separate module. Adds
 * declarations for names that exist on the reader's page or server.
 */
export async function documentedCode(): Promise<DocumentedCode[]> {
  const found: DocumentedCode[] = [];
  for (const document of await documents()) {
    const text = await readFile(join(ROOT, document), 'utf8');
    for (const { 1: language = '', 2: block = '', index } of text.matchAll(BLOCK)) {
      const name = `${document.replaceAll(/[/\\]/g, '-')}-line-${text.slice(0, index).split('\n').length}`;
      const pieces =
        language === 'html' ? [...block.matchAll(INLINE_SCRIPT)].map(([, script = '']) => script) : [block];
      // Code for a .js file on a server has no parameter types.
      const ending =
        language === 'html' || /^\/\/ [\w/-]+\.js\n/.test(block) ? 'js' : language === 'tsx' ? 'tsx' : 'ts';
      found.push(
        ...pieces.map((code, i) => ({
          file: `documents/${name}${i === 0 ? '' : `-${i}`}.${ending}`,
          code: `${code}\nexport {};\n`,
        })),
      );
    }
  }
  return found;
}
