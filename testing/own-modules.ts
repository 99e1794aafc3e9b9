/**
 * Before every test file: our modules begin anew, with no stub of the file before. Files share a process, and with it
 * the packages that they import: to load these for each file would cost more than most files' tests.
 */
import { vi } from 'vitest';

vi.useRealTimers();
vi.unstubAllGlobals();
vi.unstubAllEnvs();
vi.resetModules();
