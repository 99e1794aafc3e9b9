export function attributeOf(name: string): `data-${string}` {
  return `data-${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`;
}
