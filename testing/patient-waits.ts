/** Before every test file: its waits have the patience that all have, and end with it. */
import { afterAll, vi } from 'vitest';
import { waitsUntil } from './wait-for.ts';

const file = new AbortController();
afterAll(() => file.abort());
vi.waitFor = waitsUntil(file.signal);
