/** Runs before every test file: gives its waits the common timeout and ends them with the file. */
import { afterAll, vi } from 'vitest';
import { waitsUntil } from './wait-for.ts';

const file = new AbortController();
afterAll(() => file.abort());
vi.waitFor = waitsUntil(file.signal);
