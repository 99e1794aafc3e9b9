import { describe, expect, test } from 'vitest';
import { codeThrownBy } from '../../testing/code-of.ts';
import { checkTimes, isOver } from './times.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();
const codeOf = (issuedAt: string, expiresAt: string) => codeThrownBy(() => checkTimes({ issuedAt, expiresAt }, NOW));

describe('the times of a text to sign', () => {
  test.each([
    [0, 300],
    [0, 600],
    [-120, 300],
    [120, 720],
    [-100, -50],
    [0, 1],
  ])('times issued %i s from now that expire after %i s are accepted', (issued, expires) => {
    expect(codeOf(at(issued), at(expires))).toBe('none');
  });

  test.each([
    [-121, 300],
    [121, 300],
    [0, 601],
    [0, 0],
    [0, -1],
    [60, 30],
    [-3600, 3600],
  ])('times issued %i s from now that expire after %i s are rejected', (issued, expires) => {
    expect(codeOf(at(issued), at(expires))).toBe('invalid-challenge');
  });

  test.each([
    ['', at(300)],
    [at(0), ''],
    ['2026-13-45T99:99:99Z', at(300)],
    [at(0), 'never'],
  ])('invalid times are rejected (%j, %j)', (issuedAt, expiresAt) => {
    expect(codeOf(issuedAt, expiresAt)).toBe('invalid-challenge');
  });

  test('a text expires two minutes after its end by the local clock, which may be ahead', () => {
    expect(isOver(at(0), NOW + 120_000)).toBe(false);
    expect(isOver(at(0), NOW + 120_001)).toBe(true);
  });
});
