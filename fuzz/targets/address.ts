/** Fuzzes addresses. The `bsv` package and `@bsv/sdk` must agree on an address's validity and key hash. */
import { Utils } from '@bsv/sdk';
import bsv from 'bsv';
import { addressFault, addressScript, readAddress, writeAddress, NETWORKS } from '../../protocol/bitcoin/address.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { recipientKind } from '../../protocol/payments/recipient.ts';
import { must, mustEqual, orNull, orRefusal, target, textOf } from '../target.ts';

function sdkReads(text: string): { mainnet: boolean; hash: string } | null {
  return orNull(() => {
    const { data, prefix } = Utils.fromBase58Check(text);
    const [version] = prefix as number[];
    if (data.length !== 20 || (version !== 0 && version !== 0x6f)) return null;
    return { mainnet: version === 0, hash: toHex(Uint8Array.from(data as number[])) };
  });
}

export default target({
  form: 'bytes',
  seeds: () => [
    '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH',
    'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    '1111111111111111111114oLvT2',
  ],
  read: (input) => {
    const text = textOf(input);
    for (const network of NETWORKS) orRefusal(['invalid-recipient'], () => addressScript(text, network));
    return { read: readAddress(text), fault: addressFault(text, 'mainnet'), kind: recipientKind(text) };
  },
  check: ({ read, fault, kind }, input) => {
    const text = textOf(input);
    // Both libraries take minutes for a few kilobytes. Text of more than 60 characters can't be an address.
    if (text.length > 60) return must(read === null, 'accepted text longer than 60 characters');
    // `@bsv/sdk` ignores line breaks.
    if (/[^1-9A-HJ-NP-Za-km-z]/.test(text)) return must(read === null, 'accepted a character outside base58');
    mustEqual(
      read && { mainnet: read.mainnet, hash: toHex(read.hash) },
      sdkReads(text),
      'read differently from @bsv/sdk',
    );
    const bsvs = orNull(() => new bsv.Address(text) as { hashBuffer: Uint8Array; type: string });
    must((read !== null) === (bsvs?.type === 'pubkeyhash'), 'accepted differently from bsv');
    if (!read) return;
    mustEqual(kind, 'ADDRESS', 'the recipient is not an ADDRESS');
    mustEqual(fault, read.mainnet ? null : 'network', 'the reported fault is wrong');
    mustEqual(writeAddress(read.hash, read.mainnet ? 'mainnet' : 'testnet'), text, 'written differently');
  },
});
