/** Before every test file of page and window code: Testing Library's waits have the same patience as all others. */
import { configure } from '@testing-library/preact';
import { PATIENCE_MS } from './patience.ts';

configure({ asyncUtilTimeout: PATIENCE_MS });
