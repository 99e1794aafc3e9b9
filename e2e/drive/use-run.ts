/** Before every browser test file: its services have their databases in the run's PostgreSQL. */
import { inject } from 'vitest';

process.env.TEST_POSTGRES_PORT = String(inject('postgresPort'));
