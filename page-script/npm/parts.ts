/** The button's parts that this package loads on demand, as separate modules that bundlers split. */
import { provide } from '../page/parts.ts';

/** A language's module exports its texts. Others provide themselves. */
interface PartModule {
  texts?: object;
}

const MODULES = import.meta.glob<PartModule>(['../languages/*.ts', '!../languages/*.test.ts', '../*/main.ts']);
const LOADERS = new Map(Object.entries(MODULES).map(([path, load]) => [nameOf(path), load]));

/** `../languages/pt-br.ts` is `pt-br`, `../phone/main.ts` is `phone`. */
function nameOf(path: string): string {
  return path.replace(/\/main\.ts$/, '.ts').replace(/^.*\/|\.ts$/g, '');
}

export const PART_NAMES: readonly string[] = [...LOADERS.keys()];

/** Loads a part and provides it. @throws the browser's error for a module that it can't load */
export async function loadPart(name: string): Promise<void> {
  const { texts } = (await LOADERS.get(name)?.()) ?? {};
  if (texts) provide(name, texts);
}
