/** Before every browser test file: services that need no database of their own get one in the run's PostgreSQL. */
import { inject } from 'vitest';

process.env.TEST_POSTGRES_PORT = String(inject('postgresPort'));
