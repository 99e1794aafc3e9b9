/**
 * Before every test file: `vi.waitFor` gives up after {@link PATIENCE_MS} and no earlier, whatever timeout its caller
 * passes.
 */
import { vi } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, { ...(typeof options === 'object' && options), timeout: PATIENCE_MS });
