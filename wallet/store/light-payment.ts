/** Copies of large payments without scripts, data and transactions, stored for lists. */

/** Size from which parts are considered large: bytes of scripts, characters of text. */
const LARGE = 16_000;
/** Maximum length of a recipient, which may be a complete script, in a copy or a list (characters). */
const MOST_RECIPIENT = 500;
/** Maximum length of a payment's data in a copy, as needed for searches (characters). */
const MOST_DATA = 1_000;

interface Parts {
  options: { outputs: readonly unknown[]; opReturn?: string | undefined; cryptoOperations?: unknown };
  operations: unknown[] | null;
  quote: { outputs: readonly { to: string; script: string | null; scripts: readonly unknown[] }[] };
  signed: { rawtx: string; inputs: string[]; inputSatoshis: bigint[]; ownOutputs: string[] } | null;
  action?: {
    inputs: unknown[];
    outputs: unknown[];
    noSendChange: string[];
    beef?: unknown;
    unsigned?: unknown;
    expiresAt?: number;
  };
  asset?: { outputs: unknown[] };
}

/** Returns a payment for lists: its copy, if there is one. */
export async function lightPayment<T>(
  tx: { objectStore(name: 'payments' | 'lightPayments'): { get(id: string): Promise<T | undefined> } },
  id: string,
): Promise<T | undefined> {
  return (await tx.objectStore('lightPayments').get(id)) ?? tx.objectStore('payments').get(id);
}

/** True if any payment has a copy. */
export const hasLightCopies = async (tx: {
  objectStore(name: 'lightPayments'): { count(): Promise<number> };
}): Promise<boolean> => (await tx.objectStore('lightPayments').count()) > 0;

/** Returns a payment's copy for lists; null if the payment is small enough to be read itself. */
export function lightCopyOf<T extends Parts>(payment: T): T | null {
  if (sizeOf(payment) <= LARGE) return null;
  const bare = withoutScripts(payment);
  const { quote, signed, options, operations } = bare;
  const short = ({ to, script, ...one }: Parts['quote']['outputs'][number]) => ({
    ...one,
    to: shortRecipient(to),
    script: script ? null : script,
  });
  const copy = {
    ...bare,
    options: options && withoutData(options),
    quote: { ...quote, outputs: quote.outputs.map(short) },
    operations: operations && [],
    signed: signed && { ...signed, rawtx: '', inputs: [], inputSatoshis: [], ownOutputs: [] },
  };
  // Many small outputs don't need a copy.
  return sizeOf(payment) - sizeOf(copy) > LARGE ? copy : null;
}

function withoutData({ cryptoOperations, opReturn, ...options }: Parts['options']): Parts['options'] {
  return { ...options, outputs: [], ...(opReturn !== undefined && { opReturn: cut(opReturn, MOST_DATA) }) };
}

/** Returns a recipient for lists, with long scripts truncated. */
export const shortRecipient = (to: string): string => cut(to, MOST_RECIPIENT);

/** Truncates a text at a character boundary. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Returns a payment without scripts, except those in its signed transaction. */
export function withoutScripts<T extends Parts>(payment: T): T {
  const { quote, action, asset } = payment;
  return {
    ...payment,
    quote: { ...quote, outputs: quote.outputs.map((output) => ({ ...output, scripts: [] })) },
    ...(action && { action: bareAction(action) }),
    ...(asset && { asset: { ...asset, outputs: [] } }),
  };
}

function bareAction({ beef, unsigned, expiresAt, ...action }: NonNullable<Parts['action']>) {
  return { ...action, inputs: [], outputs: [], noSendChange: [] };
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, part) => sum + sizeOf(part), 0);
}
