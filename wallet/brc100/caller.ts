/** The caller of a method of the BSV wallet interface (BRC-100), with the origin that the browser reports. */
import type { Client } from '../prompts/request.ts';

export type Caller = Client;
