/** A way to break a parser, which fuzzing must detect: a piece of the parser's code, and its replacement. */
interface Sabotage {
  target: string;
  file: string;
  from: string;
  to: string;
}

const TRANSACTION = { target: 'transaction', file: 'protocol/bitcoin/transaction.ts' };
const WIRE = { target: 'transaction', file: 'protocol/bitcoin/wire-format.ts' };
const BEEF = { target: 'beef', file: 'wallet/chain/read-beef.ts' };
const ADDRESS = { target: 'address', file: 'protocol/bitcoin/address.ts' };
const DNS = { target: 'dns', file: 'wallet/paymail/dns.ts' };
const BUMP = { target: 'bump', file: 'server/chain/bump.ts' };
const SCRIPT = { target: 'script', file: 'protocol/assets/bsv21/inscription.ts' };

/** Sabotages, keyed by the resulting fault. */
export const SABOTAGES: Readonly<Record<string, Sabotage>> = {
  'transaction: trailing bytes are accepted': { ...TRANSACTION, from: 'if (reader.left !== 0)', to: 'if (false)' },
  'transaction: non-minimal counts are accepted': { ...WIRE, from: 'if (n < least)', to: 'if (false)' },
  'transaction: amounts above the money supply are accepted': {
    ...TRANSACTION,
    from: 'if (total > MAX_SATOSHIS)',
    to: 'if (false)',
  },
  'transaction: reads beyond its end': { ...WIRE, from: 'if (n > this.left)', to: 'if (n > this.left + 1)' },
  'beef: trailing bytes are accepted': { ...BEEF, from: 'if (reader.left > 0)', to: 'if (false)' },
  'beef: a path of another transaction is accepted': {
    ...BEEF,
    from: 'if (bump && !bump.places.has(txid))',
    to: 'if (false)',
  },
  'beef: a repeated transaction is accepted': { ...BEEF, from: 'if (names.has(txid))', to: 'if (false)' },
  'beef: a path of two blocks is accepted': { ...BEEF, from: '!== joined)', to: '!== joined && false)' },
  'bump: a duplicate on the left is accepted': { ...BUMP, from: '(sibling === null && right)', to: 'false' },
  'bump: two parents are accepted': { ...BUMP, from: 'given !== undefined && given !== parent', to: 'false' },
  'bump: several roots are accepted': { ...BUMP, from: 'top.size === 1 ? top.get(0)', to: 'top.size > 0 ? top.get(0)' },
  'address: any checksum is accepted': {
    ...ADDRESS,
    from: 'byte === checksum[i])',
    to: 'byte === checksum[i] || i > 1)',
  },
  'address: fewer ones than zero bytes are accepted': {
    ...ADDRESS,
    from: 'n === 0n && bytes.findIndex',
    to: 'n === 0n || bytes.findIndex',
  },
  'address: any prefix is accepted': { ...ADDRESS, from: 'bytes[0] !== TESTNET', to: 'bytes[0] === 256' },
  'dns: hosts from unsigned records are accepted': {
    ...DNS,
    from: 'secure || host === domain',
    to: 'host.length > 0 || host === domain',
  },
  'dns: any port is accepted': { ...DNS, from: 'port > 0 && port < 65_536', to: 'port >= 0' },
  'dns: private addresses within 6to4 are accepted': { ...DNS, from: 'first === 0x2002', to: 'first === 0x2003' },
  'script: an envelope without an end is accepted': { ...SCRIPT, from: 'last?.opcode !== OP_ENDIF', to: '!last' },
  'script: a push beyond its end is accepted': {
    target: 'script',
    file: 'wallet/recipients/script-chunks.ts',
    from: 'if (begin + length > script.length)',
    to: 'if (begin + length > script.length + 9)',
  },
  'script: a hash at the wrong position is accepted': {
    ...SCRIPT,
    from: 'lock.length > P2PKH_BYTES &&',
    to: 'lock.length > 99 &&',
  },
};
