/** The attribute of an option: `opReturn` is `data-op-return`. */
export function attributeOf(name: string): `data-${string}` {
  return `data-${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`;
}
