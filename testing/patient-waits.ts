/** Runs before every test file: sets the common timeout for `vi.waitFor`, and stops pending waits at the file's end. */
import { afterAll, vi } from 'vitest';
import { waitsUntil } from './wait-for.ts';

const file = new AbortController();
afterAll(() => file.abort());
vi.waitFor = waitsUntil(file.signal);
