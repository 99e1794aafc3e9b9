/** The parts of the button that this package loads on need: modules of its own, which a bundler keeps apart. */
import { provide } from '../parts.ts';

/** A language's module gives its texts; others provide themselves. */
interface PartModule {
  texts?: object;
}

const MODULES = import.meta.glob<PartModule>(['../languages/*.ts', '!../languages/*.test.ts', '../*/main.ts']);
const LOADERS = new Map(Object.entries(MODULES).map(([path, load]) => [nameOf(path), load]));

/** `../languages/pt-br.ts` is `pt-br`, `../phone/main.ts` is `phone`. */
function nameOf(path: string): string {
  return path.replace(/\/main\.ts$/, '.ts').replace(/^.*\/|\.ts$/g, '');
}

/** The names of the parts there are. */
export const PART_NAMES: readonly string[] = [...LOADERS.keys()];

/** Loads a part and provides it. @throws what a browser throws for a module that it cannot load */
export async function loadPart(name: string): Promise<void> {
  const { texts } = (await LOADERS.get(name)?.()) ?? {};
  if (texts) provide(name, texts);
}
