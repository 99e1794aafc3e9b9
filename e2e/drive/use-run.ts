/** Before every browser test file: its services are what the run has made ready, with a database in the run's PostgreSQL. */
import { inject } from 'vitest';

process.env.TEST_POSTGRES_PORT = String(inject('postgresPort'));
process.env.TEST_SERVICE_PROGRAM = inject('serviceProgram');
