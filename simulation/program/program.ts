/**
 * The background as a program in a simulated world. It is evaluated for each run of the worker with the simulation's
 * clock, network, randomness, database and browser instead of the globals. Packages and `protocol/` are pure, so they
 * are evaluated once and shared.
 */

import { PACKAGES } from './packages.ts';

export type Globals = Record<string, unknown>;
/** Runs it once. @param browser replaces `webextension-polyfill` */
export type Program = (globals: Globals, browser: object) => void;

/** A module of the translated background (build.ts), as CommonJS. */
export interface Module {
  name: string;
  /**
   * The worker's modules are evaluated for each of its runs; stateless ones once; packages once, with Node's globals.
   */
  kind: 'worker' | 'stateless' | 'package';
  code: string;
}

/** Globals that only the simulation provides. Omitted ones are undefined in the background. */
const NAMES = [
  ...['globalThis', 'self', 'navigator', '__SERVICE_URL__', 'Date', 'Math', 'performance', 'crypto', 'fetch'],
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'BroadcastChannel'],
  ...['AbortController', 'AbortSignal', 'WeakMap'],
  ...['indexedDB', 'IDBDatabase', 'IDBTransaction', 'IDBObjectStore', 'IDBIndex', 'IDBCursor', 'IDBKeyRange'],
  ...['IDBRequest', 'IDBCursorWithValue', 'IDBFactory', 'IDBOpenDBRequest'],
];

type Evaluate = (globals: Globals, find: (id: string) => unknown) => Record<string, unknown>;

function compiled({ name, kind, code }: Module): Evaluate {
  const names = kind === 'package' ? [] : NAMES;
  // oxlint-disable-next-line no-new-func -- the wallet's own code, in a simulated world
  const run = new Function(...names, 'require', 'exports', `${code}\n//# sourceURL=${name}`) as (
    ...values: unknown[]
  ) => void;
  return (globals, find) => {
    const exports = {};
    run(...names.map((one) => globals[one]), find, exports);
    return exports;
  };
}

/** Each run is a worker's. */
export function programOf(modules: readonly Module[]): Program {
  const evaluations = new Map(modules.map((one) => [one.name, compiled(one)]));
  const shared = new Map<string, unknown>(Object.entries(PACKAGES));
  const find = (id: string): unknown => {
    const name = id.startsWith('.') ? id.slice(id.lastIndexOf('/') + 1) : id;
    if (!shared.has(name)) {
      const evaluate = evaluations.get(name);
      if (!evaluate) throw new Error(`the background has no module ${name}`);
      shared.set(name, evaluate({ Math }, find));
    }
    return shared.get(name);
  };
  const [main] = modules.filter(({ kind }) => kind === 'worker').map(({ name }) => evaluations.get(name));
  if (!main) throw new Error('the background has no entry');
  return (globals, browser) => main(globals, (id) => (id === 'webextension-polyfill' ? browser : find(id)));
}
