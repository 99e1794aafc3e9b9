import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { describe, expect, it } from 'vitest';
import { limitLargeBodies } from './large-bodies.ts';

const LARGE = { 'content-length': '2000000' };

/** A caller's request, as far as the handler sees it. */
function arrive(limit: ReturnType<typeof limitLargeBodies>, caller: string, headers: Record<string, string> = LARGE, destroyed = false) {
  const response = Object.assign(new EventEmitter(), { locals: { caller }, destroyed, set() {} });
  let isIn = false;
  try {
    void limit({ headers } as unknown as Request, response as unknown as Response, () => void (isIn = true));
  } catch (error) {
    expect(error).toMatchObject({ code: 'service-unavailable' });
  }
  return { isIn, end: () => response.emit('close') };
}

describe('large bodies', () => {
  const make = () => limitLargeBodies(({ locals }) => String(locals.caller));

  it('come in two of each caller and eight altogether, and make room when they are answered', () => {
    const limit = make();
    const first = ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd'].map((caller) => arrive(limit, caller));
    expect(first.map(({ isIn }) => isIn)).toEqual(first.map(() => true));
    expect([arrive(limit, 'e').isIn, arrive(limit, 'e', { 'content-length': '1000' }).isIn]).toEqual([false, true]);
    first[0]?.end();
    expect([arrive(limit, 'b').isIn, arrive(limit, 'a').isIn, arrive(limit, 'e').isIn]).toEqual([false, true, false]);
  });

  it('count where their size is not told, or grows when they are unpacked', () => {
    const limit = make();
    const hidden = [{}, { 'content-length': '1000', 'content-encoding': 'gzip' }, {}].map((headers) => arrive(limit, 'a', headers as Record<string, string>).isIn);
    expect(hidden).toEqual([true, true, false]);
  });

  it('take no place for who hung up before', () => {
    const limit = make();
    for (let i = 0; i < 20; i += 1) arrive(limit, 'a', LARGE, true);
    expect(arrive(limit, 'a').isIn).toBe(true);
  });
});
