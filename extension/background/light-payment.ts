/**
 * Payments without scripts and transactions, which may be megabytes each. Where these are large, such a copy is stored beside the
 * payment, and a list reads that instead.
 */

/** More than this counts as large: bytes of scripts, characters of text. */
const LARGE = 16_000;

/** What may be large in a payment. */
interface Parts {
  quote: { outputs: readonly { scripts: readonly unknown[] }[] };
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

/** One payment as a list needs it: its copy where there is one. */
export async function lightPayment<T>(
  tx: { objectStore(name: 'payments' | 'lightPayments'): { get(id: string): Promise<T | undefined> } },
  id: string,
): Promise<T | undefined> {
  return (await tx.objectStore('lightPayments').get(id)) ?? tx.objectStore('payments').get(id);
}

/** The copy that lists read, or null where the payment is small enough to be read itself. */
export function lightCopyOf<T extends Parts>(payment: T): T | null {
  if (sizeOf(payment) <= LARGE) return null;
  const { quote, signed, action, asset } = payment;
  if (sizeOf([quote.outputs.map(({ scripts }) => scripts), signed, action, asset]) <= LARGE) return null;
  const bare = withoutScripts(payment);
  return { ...bare, signed: signed && { ...signed, rawtx: '', inputs: [], inputSatoshis: [], ownOutputs: [] } };
}

/** The same payment without scripts. What it has signed stays. */
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
