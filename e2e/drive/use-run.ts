/** Runs before every browser test file. Makes its services use the test run's PostgreSQL. */
import { inject } from 'vitest';

process.env.TEST_POSTGRES_PORT = String(inject('postgresPort'));
