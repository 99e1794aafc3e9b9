/** Dispatches BRC-100 calls: parses the arguments, calls the method and returns the result in BRC-100 format. */
import { invalidParameter, toBrc100Error, unsupported } from '../../protocol/brc100/errors.ts';
import { brc100Arguments, isSupported, type SupportedMethod } from '../../protocol/brc100/methods.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { PageParams, PageResults } from '../../protocol/messages/page-messages.ts';
import { BRC100_METHODS } from '../../protocol/messages/wire.ts';
import type { Caller } from './caller.ts';
import { brc100Handlers } from './handlers.ts';
import type { Wallet } from '../platform.ts';

/**
 * Responds to a call. Errors are returned in BRC-100 format.
 * @throws ServiceError only `wallet-not-set-up`, so the router can guide the user through the setup
 */
export async function handleCall(
  wallet: Wallet,
  { call, args }: PageParams<'brc100/call'>,
  caller: Caller,
  handlers = brc100Handlers(wallet),
): Promise<PageResults['brc100/call']> {
  try {
    if (!isSupported(call)) throw unsupported(isMethod(call) ? call : 'this method');
    const handle = handlers[call] as (args: unknown, caller: Caller) => Promise<unknown>;
    return { result: await handle(readArguments(call, args), caller) };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'wallet-not-set-up') throw error;
    return { error: toBrc100Error(error) };
  }
}

const isMethod = (call: string) => (BRC100_METHODS as readonly string[]).includes(call);

/**
 * Parses the arguments of a call.
 * @throws Brc100Error `WERR_INVALID_PARAMETER` (names the first invalid argument, in the order of the reference
 * implementation)
 */
function readArguments(method: SupportedMethod, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidParameter('args', 'an object.');
  }
  const parsed = brc100Arguments[method].safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const named = issue?.path.findLast((part) => typeof part === 'string') ?? 'args';
  throw invalidParameter(String(named), issue?.message);
}
