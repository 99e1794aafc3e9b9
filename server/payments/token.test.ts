import { describe, expect, it } from 'vitest';
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { writeInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { writeTokenScript } from '../../protocol/assets/bsv21/token.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { lockOf, paidUnit, tokenIn } from './token.ts';

const ID = `${'ab'.repeat(32)}_0`;
const lock = p2pkhScript(new Uint8Array(20).fill(7));
const transfer = toHex(writeTokenScript({ op: 'transfer', id: ID, amt: 25n }, lock));
const mint = toHex(writeTokenScript({ op: 'deploy+mint', amt: 25n, dec: 0 }, lock));
const one = (script: string, satoshis = '1') => ({ script, satoshis });

describe('the token that an output pays', () => {
  const inOutput = (currency: string, ...scripts: { script: string; satoshis: string }[]) =>
    tokenIn({ currency, scripts });

  it('comes from the output’s only script, with one satoshi', () => {
    for (const name of [ID, 'gold@pay.example', 'gold'])
      expect(inOutput(name, one(transfer)), name).toEqual({ id: ID, units: '25' });
  });

  it('doesn’t exist in money, several scripts, other satoshis, a mint, or a script without a token', () => {
    expect(inOutput('USD', one(transfer))).toBeNull();
    expect(inOutput(ID)).toBeNull();
    expect(inOutput(ID, one(transfer), one(transfer))).toBeNull();
    expect(inOutput(ID, one(transfer, '2'))).toBeNull();
    expect(inOutput(ID, one(transfer, '0'))).toBeNull();
    expect(inOutput(ID, one(mint))).toBeNull();
    expect(inOutput(ID, one(toHex(lock)))).toBeNull();
  });

  it('appears under its ID unless this service knows the name', () => {
    const known = { tokenId: ID, assetId: '1f0c7a52-6f0e-4f1e-9f43-0a1b2c3d4e5f' };
    const unknown = { tokenId: ID, assetId: null };
    expect(paidUnit('gold', known)).toBe('gold');
    expect(paidUnit('gold', unknown)).toBe(ID);
    // Money in the same payment keeps its currency.
    expect(paidUnit('USD', unknown)).toBe('USD');
    expect(paidUnit('gold', { tokenId: null, assetId: null })).toBe('gold');
  });
});

describe('the locking part of a script', () => {
  it('omits the token or ordinal that one satoshi carries', () => {
    const inscription = toHex(writeInscription('text/plain', Uint8Array.of(1, 2, 3), lock));
    expect([lockOf(one(transfer)), lockOf(one(inscription)), lockOf(one(toHex(lock)))]).toEqual(
      Array(3).fill(toHex(lock)),
    );
  });

  it('includes the whole script if the output is money', () => {
    expect(lockOf(one(transfer, '2'))).toBe(transfer);
  });
});
