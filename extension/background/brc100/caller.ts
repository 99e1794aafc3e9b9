/** Who calls a method of the BSV wallet interface (BRC-100): the origin is the browser's word. */
import type { Client } from '../prompts/ask.ts';

/** See {@link Client}. */
export type Caller = Client;
