// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BRC100_METHODS } from '../../protocol/messages/wire.ts';

type Cwi = Record<string, (args?: unknown, originator?: string) => Promise<unknown>>;
const cwi = () => (window as unknown as { CWI: Cwi }).CWI;
let posted: any[];

beforeEach(async () => {
  posted = [];
  Reflect.deleteProperty(window, 'CWI');
  vi.spyOn(window, 'postMessage').mockImplementation(((message: unknown) => void posted.push(message)) as never);
  vi.resetModules();
});
afterEach(() => {
  Reflect.deleteProperty(window, 'CWI');
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const start = () => import('./cwi.iife.ts');
function answer(data: object, source: unknown = window): void {
  window.dispatchEvent(new MessageEvent('message', { data, source: source as never }));
}
const reply = (more: object) => ({ type: 'CWI', isInvocation: false, id: posted.at(-1).id, ...more });

describe('window.CWI', () => {
  test('CWI has the 28 methods of the interface as its own functions', async () => {
    await start();
    expect(Object.keys(cwi())).toEqual([...BRC100_METHODS]);
    expect(BRC100_METHODS).toHaveLength(28);
    expect(Object.values(cwi()).every((method) => typeof method === 'function')).toBe(true);
  });

  test('posts a call to its own window and returns the response', async () => {
    await start();
    const version = cwi().getVersion!();
    expect(posted).toEqual([
      { type: 'CWI', isInvocation: true, id: expect.stringMatching(/^[\w-]{36}$/), call: 'getVersion', args: {} },
    ]);
    answer(reply({ status: 'success', result: { version: 'x-1' } }));
    expect(await version).toEqual({ version: 'x-1' });
  });

  test('rejects with an Error that has the interface’s fields and no others from the message', async () => {
    await start();
    const call = cwi().encrypt!({ keyID: '' });
    answer(
      reply({
        status: 'error',
        description: 'The keyID parameter must be at least 1 length.',
        code: 6,
        name: 'WERR_INVALID_PARAMETER',
        parameter: 'keyID',
      }),
    );
    const error = await call.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toBe('The keyID parameter must be at least 1 length.');
    expect({ ...(error as Error) }).toEqual({
      code: 6,
      name: 'WERR_INVALID_PARAMETER',
      parameter: 'keyID',
      isError: true,
    });
  });

  test('ignores other windows, calls and unknown names, and handles each response once', async () => {
    await start();
    const settled = vi.fn();
    void cwi().getHeight!().then(settled, settled);
    answer(reply({ status: 'success', result: 1 }), null);
    answer(reply({ status: 'success', result: 2, isInvocation: true }));
    answer(reply({ status: 'success', result: 3, id: 'other' }));
    answer(reply({ status: 'success', result: 4, type: 'other' }));
    await Promise.resolve();
    expect(settled).not.toHaveBeenCalled();
    answer(reply({ status: 'success', result: { height: 5 } }));
    answer(reply({ status: 'error', description: 'late' }));
    await vi.waitFor(() => expect(settled).toHaveBeenCalledExactlyOnceWith({ height: 5 }));
  });

  test('rejects if the page passes a value that can’t be posted', async () => {
    await start();
    vi.mocked(window.postMessage).mockImplementation(() => {
      throw new DOMException('could not be cloned', 'DataCloneError');
    });
    await expect(cwi().encrypt!({ plaintext: () => 0 })).rejects.toThrow('could not be cloned');
  });

  test('leaves another wallet’s CWI unchanged', async () => {
    const other = { getVersion: async () => ({ version: 'other' }) };
    Object.assign(window, { CWI: other });
    await start();
    expect(cwi()).toBe(other);
  });

  test('CWI is missing in a page without an origin', async () => {
    vi.stubGlobal('origin', 'null');
    await start();
    expect('CWI' in window).toBe(false);
  });
});
