/** A client that uses all instances in turn and tolerates missing responses. */
import type { Acknowledged } from './acknowledged.ts';

export interface ServiceResponse {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  headers: Headers;
}

export interface Client {
  /**
   * Sends a request to the next instance. Returns null if there is no response or the instance's database is
   * unavailable.
   */
  ask(method: string, path: string, headers: Record<string, string>, body?: string): Promise<ServiceResponse | null>;
  /** Repeats an idempotent request until there is a response. */
  insist(method: string, path: string, headers: Record<string, string>, body?: string): Promise<ServiceResponse>;
  /** Records a response with an unexpected status. */
  expectStatus(what: string, answer: ServiceResponse, ...wanted: number[]): boolean;
}

export const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
export const JSON_BODY = { 'Content-Type': 'application/json' };
const UNANSWERED_PAUSE_MS = 50;

/** @param first index of the first instance to use */
export function createClient(notes: Acknowledged, urls: readonly string[], first: number): Client {
  let turn = first;
  const ask: Client['ask'] = async (method, path, headers, body) => {
    turn += 1;
    try {
      const response = await fetch(`${urls[turn % urls.length]}${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(15_000),
      });
      const answer = { status: response.status, body: await response.json(), headers: response.headers };
      if (response.status !== 503) {
        notes.answered += 1;
        return answer;
      }
    } catch {}
    notes.unanswered += 1;
    await new Promise((wake) => setTimeout(wake, UNANSWERED_PAUSE_MS));
    return null;
  };
  return {
    ask,
    async insist(...request) {
      for (;;) {
        const answer = await ask(...request);
        if (answer) return answer;
      }
    },
    expectStatus(what, { status, body }, ...wanted) {
      if (wanted.includes(status)) return true;
      notes.faults.push(`${what}: ${status} ${JSON.stringify(body)}`);
      return false;
    },
  };
}
