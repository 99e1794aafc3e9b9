/** For tests: a service shared by all tests in a file or `describe`. */
import { afterAll, beforeAll } from 'vitest';
import { startTestArc, type TestArc } from './chain/testing-arc.ts';
import type { OpenDatabase } from './database/connect.ts';
import { useTestDatabase } from './database/testing.ts';
import { startTestApp, type TestApp, type TestAppOptions } from './testing.ts';

export interface TestService {
  app: TestApp;
  arc: TestArc;
  database: OpenDatabase;
}

/**
 * Starts a service before the first test, and stops it after the last.
 * @returns its parts, which `beforeAll` fills in
 * @param options as in `startTestApp`, or a function if they depend on an earlier `beforeAll`
 */
export function useService(options: TestAppOptions | (() => TestAppOptions) = {}): TestService {
  const database = useTestDatabase();
  const [app, arc] = [{} as TestApp, {} as TestArc];
  beforeAll(async () => {
    await startTestArc(arc);
    const given = typeof options === 'function' ? options() : options;
    Object.assign(app, await startTestApp(database, { arcUrl: arc.url, ...given }));
  });
  afterAll(() => Promise.all([app.close(), arc.close()]));
  return { app, arc, database };
}
