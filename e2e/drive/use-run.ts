/** Runs before every browser test file, and makes the file's services use the test run's PostgreSQL. */
import { inject } from 'vitest';

process.env.TEST_POSTGRES_PORT = String(inject('postgresPort'));
