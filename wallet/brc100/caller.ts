/** The caller of a BRC-100 method, with the origin reported by the browser. */
import type { Client } from '../prompts/request.ts';

export type Caller = Client;
