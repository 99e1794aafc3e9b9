/** Compares the service's record of a payment with its transaction. */
import { p2pkhHash, writeAddress, type Network } from '../../protocol/bitcoin/address.ts';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { metadataOf } from '../../protocol/payments/metadata.ts';
import { readPaymail } from '../../protocol/http/paymail.ts';
import type { SentRecord } from '../../protocol/http/records.ts';
import type { PaidRecord, Receipt, SpentPart } from '../coins/receipts/receipt.ts';

/** Returns the record if it lists exactly the outputs that pay others; otherwise an empty object. */
export function paidRecord(
  { feeSatoshis, count, paid }: SpentPart,
  said: SentRecord | undefined,
  network: Network,
): Pick<Receipt, 'record'> {
  // If the transaction has third-party inputs or too many recipients, the record can't be verified.
  if (!said || feeSatoshis === null || count !== paid.length || !isOrigin(said.origin)) return {};
  const left = [...paid];
  const outputs: PaidRecord['outputs'] = [];
  for (const { type, to, scripts } of said.outputs) {
    const addresses = new Set<string | null>();
    let satoshis = 0n;
    for (const one of scripts) {
      const value = BigInt(one.satoshis);
      if (value === 0n) continue;
      const hash = p2pkhHash(fromHex(one.script));
      const address = hash && writeAddress(hash, network);
      const at = left.findIndex((other) => other.address === address && other.satoshis === value);
      if (at < 0) return {};
      left.splice(at, 1);
      addresses.add(address);
      satoshis += value;
    }
    const address = addresses.size === 1 ? ([...addresses][0] ?? null) : null;
    if (!isNamed(type, to, address)) return {};
    outputs.push({ type, to, address, satoshis });
  }
  if (left.length > 0) return {};
  const { origin, clientIdentifier, serviceAmount: amount, currency } = said;
  const worth = amount && currency && currency !== 'BSV' && { amount, currency };
  return { record: { origin, clientIdentifier, ...(worth && { worth }), ...metadataOf(said), outputs } };
}

/** True if `to` is a valid recipient of this type. An address must be the one that was paid. */
function isNamed(type: PaidRecord['outputs'][number]['type'], to: string, address: string | null): boolean {
  if (type === 'ADDRESS') return to === address;
  if (type === 'PAYMAIL') return readPaymail(to) !== null;
  return type === 'USER' ? /^[1-9]\d{0,14}$/.test(to) : to === '';
}

function isOrigin(origin: string | null): boolean {
  if (origin === null) return true;
  const url = URL.canParse(origin) ? new URL(origin) : null;
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.origin === origin;
}
