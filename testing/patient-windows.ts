/** Before every test file of page and window code: Testing Library's waits get the common timeout. */
import { configure } from '@testing-library/preact';
import { PATIENCE_MS } from './patience.ts';

configure({ asyncUtilTimeout: PATIENCE_MS });
