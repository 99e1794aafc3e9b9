/**
 * Finds variables in output scripts: `#{name}` inside a push is replaced by a crypto operation's result. Also
 * recognizes a push that a library has hex-encoded together with its variables.
 */

/** Matches a variable in a push's bytes. Also matches invalid names. */
const VARIABLE = /#\{([ -z|~]{1,50})\}/;
const PUSH = /^(?:[\da-f]{2}|#\{[a-z]{1,50}\})+$/i;

/** A push with variables, split into text, name, text, name, …, text. Each character represents one byte. */
export type Template = readonly string[];

/** Splits bytes (one character each) at their variables. Returns one element if there are no variables. */
export function splitVariables(bytes: string): Template {
  return bytes.split(VARIABLE);
}

/** Splits a push in ASM at its variables. Returns null if the word isn't a push. */
export function readPush(word: string): Template | null {
  if (!PUSH.test(word)) return null;
  const hex = word.replace(/#\{\w+\}/g, (variable) =>
    Array.from(variable, (character) => character.charCodeAt(0).toString(16)).join(''),
  );
  let bytes = '';
  for (let i = 0; i < hex.length; i += 2) bytes += String.fromCharCode(parseInt(hex.slice(i, i + 2), 16));
  return splitVariables(bytes);
}

/** Returns the names of all variables in a script in ASM or hexadecimal. */
export function variablesIn(script: string): string[] {
  if (!/#\{|237b/i.test(script)) return [];
  return script.split(' ').flatMap((word) => readPush(word)?.filter((_, i) => i % 2 === 1) ?? []);
}
