import { describe, expect, test } from 'vitest';
import { readPush, splitVariables, variablesIn } from './variables.ts';

const hex = (text: string) => Buffer.from(text, 'latin1').toString('hex');

describe('variables in bytes', () => {
  test.each([
    ['#{sig}', ['', 'sig', '']],
    ['a#{sig}b#{key}', ['a', 'sig', 'b', 'key', '']],
    ['#{a}#{b}', ['', 'a', '', 'b', '']],
    // Malformed variables must also be found so that they are rejected and don't become part of the script.
    ['#{my sig-1!}', ['', 'my sig-1!', '']],
    ['#{#{x}', ['#{', 'x', '']],
    [`#{${'x'.repeat(50)}}`, ['', 'x'.repeat(50), '']],
  ])('%s contains variables', (bytes, template) => {
    expect(splitVariables(bytes)).toEqual(template);
  });

  test.each([
    '',
    'abc',
    '#sig',
    '{sig}',
    '#{}',
    '#{sig',
    '# {sig}',
    '#{a\nb}',
    '#{ä}',
    '#{\x7f}',
    '#{\x1f}',
    `#{${'x'.repeat(51)}}`,
  ])('%j contains no variables', (bytes) => {
    expect(splitVariables(bytes)).toEqual([bytes]);
  });
});

describe('a word of ASM that is a push', () => {
  test.each([
    ['00ff', ['\x00\xff']],
    ['0aFf', ['\x0a\xff']],
    ['#{sig}', ['', 'sig', '']],
    ['#{Sig}', ['', 'Sig', '']],
    ['6162#{sig}63', ['ab', 'sig', 'c']],
    // Variables that a library has hex-encoded, partly or completely.
    [hex('a#{sig}b'), ['a', 'sig', 'b']],
    [hex('a#{sig}b').toUpperCase(), ['a', 'sig', 'b']],
    [`${hex('#{a}')}#{b}`, ['', 'a', '', 'b', '']],
    [`${hex('#{')}#{b}`, ['#{', 'b', '']],
    [`#{${'x'.repeat(50)}}`, ['', 'x'.repeat(50), '']],
  ])('%s is parsed with its variables', (word, template) => {
    expect(readPush(word)).toEqual(template);
  });

  test.each([
    '',
    '0',
    '0g',
    'OP_DUP',
    '#{sig',
    '#{}',
    '#{sig1}',
    '#{a b}',
    '#{sig}0',
    '0#{sig}',
    ' 00',
    '00 ',
    'x00',
    '00x',
    `#{${'x'.repeat(51)}}`,
  ])('%j is not a push', (word) => {
    expect(readPush(word)).toBeNull();
  });
});

describe('the variables of a script', () => {
  test.each([
    ['OP_DUP #{sig} #{key}', ['sig', 'key']],
    [`OP_FALSE OP_RETURN 6162 ${hex('x#{sig}y')} #{b}#{c}`, ['sig', 'b', 'c']],
    [hex('#{sig}').toUpperCase(), ['sig']],
    ['#{sig} #{sig}', ['sig', 'sig']],
    ['OP_DUP OP_HASH160', []],
    ['#{sig', []],
    // The hex digits of `#{` start at an odd offset, so they aren't whole bytes.
    ['0237b6', []],
    ['', []],
  ])('the variables are found in the script %s', (script, names) => {
    expect(variablesIn(script)).toEqual(names);
  });
});
