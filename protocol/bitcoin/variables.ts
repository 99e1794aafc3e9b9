/**
 * Variables in output scripts: `#{name}` inside a push stands for a crypto operation's value. Libraries encode pushes
 * as hexadecimal, including a variable's characters, so both forms are recognized.
 */

/** A variable among a push's bytes. Names that no operation can have count as well. */
const VARIABLE = /#\{([ -z|~]{1,50})\}/;
const PUSH = /^(?:[\da-f]{2}|#\{[a-z]{1,50}\})+$/i;

/** A push with variables: text, name, text, name, …, text. Each character of a text is one byte. */
export type Template = readonly string[];

/** Splits bytes at their variables, one character per byte. Returns one element if there are none. */
export function splitVariables(bytes: string): Template {
  return bytes.split(VARIABLE);
}

/** A word of ASM that is a push, with its variables; null for any other. */
export function readPush(word: string): Template | null {
  if (!PUSH.test(word)) return null;
  const hex = word.replace(/#\{\w+\}/g, (variable) =>
    Array.from(variable, (character) => character.charCodeAt(0).toString(16)).join(''),
  );
  let bytes = '';
  for (let i = 0; i < hex.length; i += 2) bytes += String.fromCharCode(parseInt(hex.slice(i, i + 2), 16));
  return splitVariables(bytes);
}

/** The names of all variables in a script as a page writes it: in ASM, or as the hexadecimal of its bytes. */
export function variablesIn(script: string): string[] {
  if (!/#\{|237b/i.test(script)) return [];
  return script.split(' ').flatMap((word) => readPush(word)?.filter((_, i) => i % 2 === 1) ?? []);
}
