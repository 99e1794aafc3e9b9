/** The button's parts as separate modules, which bundlers split and this package loads on demand. */
import { provide } from '../page/parts.ts';

/** A language module exports its text. Other parts call `provide` themselves. */
interface PartModule {
  texts?: object;
}

const MODULES = import.meta.glob<PartModule>(['../languages/*.ts', '!../languages/*.test.ts', '../*/main.ts']);
const LOADERS = new Map(Object.entries(MODULES).map(([path, load]) => [nameOf(path), load]));

/** Returns a part's name: `pt-br` for `../languages/pt-br.ts`, `phone` for `../phone/main.ts`. */
function nameOf(path: string): string {
  return path.replace(/\/main\.ts$/, '.ts').replace(/^.*\/|\.ts$/g, '');
}

export const PART_NAMES: readonly string[] = [...LOADERS.keys()];

/** Loads a part and provides it. @throws the browser's error if the module can't be loaded */
export async function loadPart(name: string): Promise<void> {
  const { texts } = (await LOADERS.get(name)?.()) ?? {};
  if (texts) provide(name, texts);
}
