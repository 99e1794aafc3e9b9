/** For tests: code that server.test.ts and server.full.test.ts share. */
import { query } from './testing.ts';

export const kept = (url: string) => query<{ n: number }>(url, 'select n from kept order by n');
