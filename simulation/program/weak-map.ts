/**
 * WeakMaps without cost for the garbage collector: values are in a private field of the key. A Map would keep
 * everything until the worker ends.
 */

/** A field of any object, proxies included. */
function newField() {
  // A constructor that returns another object, which it initializes.
  const Given = function (key: object) {
    return key;
  } as unknown as new (key: object) => object;
  return class Field extends Given {
    #value: unknown;

    static has(key: object): boolean {
      return #value in key;
    }

    static get(key: object): unknown {
      return #value in key ? key.#value : undefined;
    }

    static set(key: object, value: unknown): void {
      const holder = #value in key ? key : (new Field(key) as Field);
      holder.#value = value;
    }
  };
}

/**
 * Shared by all workers. Separate fields would give each worker separate object shapes, which Node doesn't optimize.
 */
const fields: ReturnType<typeof newField>[] = [];

const isObject = (key: unknown): key is object => typeof key === 'object' && key !== null;

/** A worker's WeakMap. Key objects belong to one worker; functions may be shared, so they have a Map. */
export function weakMap() {
  let made = 0;
  return class {
    readonly #field = (fields[made++] ??= newField());
    readonly #others = new Map<unknown, unknown>();

    has(key: unknown): boolean {
      return isObject(key) ? this.#field.has(key) : this.#others.has(key);
    }

    get(key: unknown): unknown {
      return isObject(key) ? this.#field.get(key) : this.#others.get(key);
    }

    set(key: unknown, value: unknown): void {
      if (isObject(key)) this.#field.set(key, value);
      else this.#others.set(key, value);
    }
  };
}
