/** Runs before every test file of page and window code: sets the common timeout for Testing Library's waits. */
import { configure } from '@testing-library/preact';
import { PATIENCE_MS } from './patience.ts';

configure({ asyncUtilTimeout: PATIENCE_MS });
