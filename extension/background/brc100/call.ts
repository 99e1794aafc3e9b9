/** Calls of the BSV wallet interface (BRC-100): reads the arguments, calls the method, answers in the interface's form. */
import { invalidParameter, toBrc100Error, unsupported } from '../../../protocol/brc100/errors.ts';
import { brc100Arguments, isSupported, type SupportedMethod } from '../../../protocol/brc100/methods.ts';
import type { PageParams, PageResults } from '../../../protocol/page-messages.ts';
import type { Caller } from './caller.ts';
import { brc100Handlers } from './handlers.ts';

/** Answers a call. It never throws: an error is an answer in the interface's form. */
export async function answerCall(
  { call, args }: PageParams<'brc100/call'>,
  caller: Caller,
  handlers = brc100Handlers,
): Promise<PageResults['brc100/call']> {
  try {
    if (!isSupported(call)) throw unsupported(call);
    const handle = handlers[call] as (args: unknown, caller: Caller) => Promise<unknown>;
    return { result: await handle(readArguments(call, args), caller) };
  } catch (error) {
    return { error: toBrc100Error(error) };
  }
}

/** @throws Brc100Error `WERR_INVALID_PARAMETER`: the first argument that is wrong, in the reference code's order */
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
