/** Declares routes of WhatsOnChain's API, and converts errors to its plain-text responses. */
import type { RequestHandler } from 'express';
import type { Declaration, Route } from '../../routing/route.ts';
import { LedgerRejection } from '../arc/rejection.ts';

export const WOC = '/devnet/woc/v1/bsv/test';

/** An error response. WhatsOnChain sends plain text. */
export class WocError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.name = 'WocError';
    this.status = status;
  }
}

/** Declares one route. Error responses are plain text, as on WhatsOnChain. */
export function route(
  declaration: Pick<Declaration, 'id' | 'summary' | 'body' | 'query' | 'example'> & {
    answer: Declaration['answers'][number];
  },
  [method, path]: ['get' | 'post', string],
  handler: RequestHandler,
): Route {
  const { answer, summary, ...rest } = declaration;
  return {
    ...rest,
    summary: `WhatsOnChain: ${summary}`,
    tag: 'Devnet',
    by: 'anybody',
    method,
    path: `${WOC}${path}`,
    answers: { 200: answer, 400: 'text', 404: 'text', ...(method === 'post' && { 413: 'text' as const }) },
    handlers: [handler],
  };
}

/** Returns the status and text for an error. */
export function plainAnswer(error: unknown): { status: number; text: string } {
  if (error instanceof WocError) return { status: error.status, text: error.message };
  // WhatsOnChain prefixes the node's rejection with its own message.
  if (error instanceof LedgerRejection)
    return { status: 400, text: `unexpected response code 500: ${error.status}: ${error.message}` };
  const status = (error as { status?: unknown } | null)?.status;
  if (status === 413) return { status, text: 'Payload Too Large' };
  if (typeof status === 'number' && status >= 400 && status < 500) return { status: 400, text: 'Bad Request' };
  return { status: 500, text: 'Internal Server Error' };
}
