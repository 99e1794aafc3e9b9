/**
 * Lint rule `stores/owned`: only the owner of an IndexedDB store may use its name in a transaction. `owners.json` lists
 * each store's owner, a file or a folder, and the recorded exceptions.
 */
import { relative, resolve } from 'node:path';
import { readFileSync } from 'node:fs';

const { root, always, stores } = JSON.parse(readFileSync(new URL('owners.json', import.meta.url), 'utf8'));

/** Methods of IndexedDB and the idb package whose first argument is a store name or a list of store names. */
const METHODS = new Set([
  'objectStore',
  'transaction',
  ...['get', 'getKey', 'getAll', 'getAllKeys', 'count'].flatMap((name) => [name, `${name}FromIndex`]),
  ...['put', 'add', 'delete', 'clear'],
]);

/** Returns the strings in an argument: the argument itself, or an array's elements. */
function namesIn(argument) {
  if (argument?.type === 'ArrayExpression') return argument.elements.flatMap(namesIn);
  if (argument?.type === 'TSAsExpression') return namesIn(argument.expression);
  return argument?.type === 'Literal' && typeof argument.value === 'string' ? [argument.value] : [];
}

function create(context) {
  const file = relative(resolve(root), context.filename).replaceAll('\\', '/');
  const isOwner = ({ owner }) => file === owner || (owner.endsWith('/') && file.startsWith(owner));
  if (always.some((folder) => file.startsWith(folder))) return {};
  const options = context.options[0];
  return {
    CallExpression(node) {
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || !METHODS.has(callee.property.name)) return;
      const names = namesIn(node.arguments[0]);
      // A variable can contain any store's name.
      if (callee.property.name === 'objectStore' && names.length === 0) names.push('*');
      for (const name of names) {
        const store = Object.hasOwn(stores, name) ? stores[name] : null;
        if (!store || isOwner(store)) continue;
        if (options?.exceptions !== false && store.exceptions?.includes(file)) continue;
        const message =
          `Only ${root}/${store.owner} accesses the store ${name}. ` +
          'Call a function of it, which takes your transaction if this is part of one.';
        context.report({ message, node });
      }
    },
  };
}

export default {
  meta: { name: 'stores' },
  rules: { owned: { meta: { schema: [{ type: 'object' }] }, create } },
};
