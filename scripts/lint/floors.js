/**
 * Lint rule `floors/downwards`: folders are arranged in layers, and each may import code and types only from lower
 * layers. `.oxlintrc.json` defines the layers.
 */
import { dirname, join, relative, resolve, sep } from 'node:path';

/**
 * Returns the name of a file in the list of layers: its path below `root`, without `.ts`, if the file itself is listed,
 * otherwise the path's first segment. Null if the file isn't in `root`.
 */
function roomOf(file, root, floors) {
  const path = relative(resolve(root), file);
  if (path.startsWith('..')) return null;
  const parts = path.replace(/\.tsx?$/, '').split(sep);
  const whole = parts.join('/');
  return floors.some((rooms) => rooms.includes(whole)) ? whole : parts[0];
}

const folderOf = (room) => room.split('/')[0];

function isOfTypes({ importKind, exportKind, specifiers = [] }) {
  if (importKind === 'type' || exportKind === 'type') return true;
  return specifiers.length > 0 && specifiers.every((one) => (one.importKind ?? one.exportKind) === 'type');
}

function create(context) {
  const checks = context.options.map((part) => checkOf(context, part));
  const check = (statement) => checks.forEach((one) => one(statement));
  return {
    ImportDeclaration: check,
    ExportNamedDeclaration: check,
    ExportAllDeclaration: check,
    ImportExpression: check,
  };
}

/**
 * Returns the check for one part of the project. `floors` are the layers from top to bottom. Each layer is a list of
 * folders and files, which must not import one another. `shapes` are files that may import types from higher layers,
 * because the database declares the types that it stores. If `files` is true, files directly in `root` are below all
 * layers, and may import one another.
 */
function checkOf(context, { root, floors, shapes = [], files = false }) {
  const isShapes = shapes.some((file) => resolve(join(root, file)) === context.filename);
  const isListed = (room) => floors.some((rooms) => rooms.includes(room));
  const floorOf = (room) =>
    files && !isListed(room) ? floors.length : floors.findIndex((rooms) => rooms.includes(room));
  const own = roomOf(context.filename, root, floors);
  return (statement) => {
    const { source } = statement;
    if (isShapes && isOfTypes(statement)) return;
    if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
    const target = roomOf(resolve(dirname(context.filename), source.value), root, floors);
    if (own === null || target === null || folderOf(target) === folderOf(own)) return;
    if (files && !isListed(own) && !isListed(target)) return;
    const unknown = [own, target].find((room) => floorOf(room) < 0);
    const message =
      unknown !== undefined
        ? `${root}/${unknown} is on no floor. Give it one in .oxlintrc.json, below all that import it.`
        : floorOf(target) <= floorOf(own)
          ? `${root}/${own} does not stand above ${root}/${target}, so it may not import from it. ` +
            'Move what both need to a floor below, or pass it in from above. ' +
            `The floors, from the top: ${floors.map((rooms) => rooms.join(' · ')).join(' → ')}.`
          : null;
    if (message !== null) context.report({ message, node: source });
  };
}

export default {
  meta: { name: 'floors' },
  rules: { downwards: { meta: { schema: { type: 'array', items: { type: 'object' } } }, create } },
};
