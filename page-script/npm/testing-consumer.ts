/** Test fixture: a project with the package installed, without network access. */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The project's other dependencies, linked to this repository's installed packages. */
const NEIGHBOURS = ['@bsv/sdk', 'react', 'react-dom', '@types/react', '@types/react-dom', '@types/node', 'express'];

export interface Consumer {
  directory: string;
  write(path: string, text: string): Promise<void>;
  /** Runs a program in the project. @returns its output @throws Error with the output if the program fails */
  run(program: string, ...args: string[]): string;
  remove(): Promise<void>;
}

/** Builds and packs the package, and installs it in a new project. */
export async function makeConsumer(): Promise<Consumer> {
  const directory = await mkdtemp(join(tmpdir(), 'service-button-consumer-'));
  const run = (cwd: string, program: string, args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
    return stdout;
  };
  const consumer: Consumer = {
    directory,
    run: (program, ...args) => run(directory, program, args),
    async write(path, text) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), text);
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
  const built = join(directory, 'built');
  run(ROOT, process.execPath, ['--import', 'tsx', 'scripts/build-package.ts', built]);
  const [{ filename }] = JSON.parse(run(built, 'npm', ['pack', '--json', '--pack-destination', directory])) as [
    { filename: string },
  ];
  await consumer.write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  consumer.run('npm', 'install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${filename}`);
  for (const name of NEIGHBOURS) {
    const place = join(directory, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(ROOT, 'node_modules', name), place, 'junction');
  }
  return consumer;
}
