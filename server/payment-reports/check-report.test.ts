import { randomUUID } from 'node:crypto';
import { PrivateKey } from '@bsv/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { p2pkhScript, writeAddress } from '../../protocol/bitcoin/address.ts';
import { writeTokenScript } from '../../protocol/assets/bsv21/token.ts';
import type { PaymentReport } from '../../protocol/http/api.ts';
import { concatBytes, fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { parseTransaction, serializeTransaction, type TransactionInput } from '../../protocol/bitcoin/transaction.ts';
import { pushData } from '../../protocol/bitcoin/push-data.ts';
import { checkReport, type ReportTerms } from './check-report.ts';
import { createTestReport as createReport, createTokenReport, proveReport } from './testing-report.ts';

const newPublicKey = () => PrivateKey.fromRandom().toPublicKey().toString();
const SENDER = newPublicKey();
const createTestReport = (amounts: readonly bigint[] = [200_000n]) => createReport(amounts, SENDER);

const USER_ID = 1007;
const PAYMAIL = 'alice@one.example';
/** Returns destinations as if this service had issued the scripts of the report's first output under `ref`. */
const given = (report: PaymentReport) =>
  new Map([['ref', { userId: USER_ID, paymail: PAYMAIL, outputs: report.outputs[0]?.scripts ?? [] }]]);
const terms = (network: 'devnet' | 'mainnet' = 'devnet', publicKey = SENDER): ReportTerms => ({
  network,
  publicKey,
  baseUrl: 'https://one.example',
  paymailDomain: 'one.example',
  destinations: new Map(),
});

const errorOf = (report: PaymentReport, change: Partial<ReportTerms> = {}): ServiceError | null => {
  try {
    checkReport(report, { ...terms(), ...change });
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
};
const codeOf = (report: PaymentReport, network: 'devnet' | 'mainnet' = 'devnet', publicKey = SENDER) =>
  errorOf(report, terms(network, publicKey))?.code ?? 'fine';
const mismatchOf = (report: PaymentReport, change: Partial<ReportTerms> = {}) => {
  const error = errorOf(report, change);
  return error?.code === 'payment-mismatch' ? error.detail : (error?.code ?? 'fine');
};

type Output = PaymentReport['outputs'][number];
type Script = Output['scripts'][number];
const changed = (report: PaymentReport, change: Partial<Output>): PaymentReport => ({
  ...report,
  outputs: report.outputs.map((output, i) => (i === 0 ? { ...output, ...change } : output)),
});
const otherHash = new Uint8Array(20).fill(9);

const NOT_AMONG = 'a declared script and value is not among the transaction’s outputs';
const OTHER_KIND = 'an output has fields of another type of recipient';

describe('checkReport for tokens', () => {
  const tokenReport = (id: string, units: bigint, change: Partial<Output> = {}, satoshis = 1n) =>
    createTokenReport(SENDER, { id, units, satoshis }, change).report;
  const [ID, OTHER] = [`${'ab'.repeat(32)}_0`, `${'cd'.repeat(32)}_0`];
  const check = (report: PaymentReport, asset: ReportTerms['asset'] = null) => {
    try {
      return checkReport(report, { ...terms(), asset }).satoshis;
    } catch (error) {
      return (error as ServiceError).code;
    }
  };

  it('accepts the token in the output’s script, at its true satoshis', () => {
    expect(check(tokenReport(ID, 25n))).toBe(1n);
    expect(check(tokenReport(ID, 25n, { currency: 'gold@elsewhere.example' }))).toBe(1n);
    const gold = { id: 'gold', tokenId: ID, decimals: 1 };
    expect(check(tokenReport(ID, 25n), gold)).toBe(1n);
    expect(check(tokenReport(ID, 25n, { currency: 'gold@one.example' }), gold)).toBe(1n);
  });

  it('accepts an unknown name as the payer’s claim, for any token in the script', () => {
    const uuid = '1f0c7a52-6f0e-4f1e-9f43-0a1b2c3d4e5f';
    const tokenOf = (currency: string, asset: ReportTerms['asset'] = null) =>
      checkReport(tokenReport(ID, 25n, { currency }), { ...terms(), asset }).token;
    for (const name of [uuid, 'gold@one.example', 'gold@elsewhere.example', ID])
      expect(tokenOf(name), name).toEqual({ id: ID, units: 25n, assetId: null });
    const gold = { id: uuid, tokenId: ID, decimals: 1 };
    for (const name of [uuid, 'gold@one.example', ID])
      expect(tokenOf(name, gold), name).toMatchObject({ assetId: uuid });
    // An asset without a token can't be paid.
    expect(tokenOf(uuid, { ...gold, tokenId: null })).toMatchObject({ assetId: null });
  });

  it('rejects an amount, a token or an asset that differs from the script', () => {
    const gold = { id: 'gold', tokenId: ID, decimals: 1 };
    const plain = createTestReport([1n]);
    const [amount, token, none] = [
      'a token’s amount differs from its output’s',
      'another token',
      'an asset’s output contains no token',
    ];
    const wrong: [string, PaymentReport, string, ReportTerms['asset']?][] = [
      ['more than it holds', tokenReport(ID, 24n), amount, gold],
      ['less than it holds', tokenReport(ID, 26n), amount, gold],
      ['more decimals than the asset has', tokenReport(ID, 25n, { amount: '2.51' }), amount, gold],
      ['other digits than it holds', tokenReport(ID, 24n), amount],
      ['another token than the asset’s', tokenReport(OTHER, 25n, { currency: 'gold@one.example' }), token, gold],
      ['another token than the one that is named', tokenReport(ID, 25n, { currency: OTHER }), token],
      ['money where a token is said to be', changed({ ...plain.report, currency: ID }, { currency: ID }), none],
      ['a token in more than a satoshi', tokenReport(ID, 25n, { satoshis: '2' }, 2n), none],
      [
        'a token to another address',
        tokenReport(ID, 25n, { address: writeAddress(otherHash, 'devnet'), to: writeAddress(otherHash, 'devnet') }),
        'a script does not pay its address',
      ],
      [
        'a token that is said to be money',
        tokenReport(ID, 25n, { currency: 'USD' }),
        'a script does not pay its address',
      ],
    ];
    for (const [what, report, why, asset = null] of wrong) expect(mismatchOf(report, { asset }), what).toBe(why);
  });

  it('ignores trailing decimal zeros in an amount, but no other zeros', () => {
    const whole = { id: 'gold', tokenId: ID, decimals: 0 };
    const [one, two] = [
      { ...whole, decimals: 1 },
      { ...whole, decimals: 2 },
    ];
    for (const [amount, units, asset] of [
      ['100', 100n, whole],
      ['3.00', 3n, whole],
      ['2.500', 25n, one],
      ['2.05', 205n, two],
    ] as const)
      expect(check(tokenReport(ID, units, { amount }), asset), amount).toBe(1n);
    for (const [amount, units] of [
      ['100', 1n],
      ['2.05', 25n],
    ] as const)
      expect(check(tokenReport(ID, units, { amount }), whole), amount).toBe('payment-mismatch');
  });

  /** Returns a report that pays these tokens, each in a separate output. `says` overrides fields. */
  const several = (
    tokens: { id: string; amt: bigint; says?: Partial<Output> }[],
    says: Partial<PaymentReport> = {},
  ) => {
    const { report, transaction, key } = createTestReport(tokens.map(() => 1n));
    const scripts = tokens.map(({ id, amt }, i) =>
      writeTokenScript({ op: 'transfer', id, amt }, fromHex(report.outputs[i]?.scripts[0]?.script ?? '')),
    );
    const outputs = transaction.outputs.map((one, i) => ({ ...one, lockingScript: scripts[i] ?? one.lockingScript }));
    const paid = report.outputs.map((output, i) => ({
      ...output,
      currency: ID,
      amount: String(tokens[i]?.amt),
      scripts: [{ script: toHex(scripts[i] as Uint8Array), satoshis: '1' }],
      ...tokens[i]?.says,
    }));
    const rawtx = toHex(serializeTransaction({ ...transaction, outputs }));
    return proveReport({ ...report, rawtx, outputs: paid, currency: ID, ...says }, SENDER, key);
  };

  it('sums several outputs of one token, and rejects two tokens for one asset', () => {
    const elsewhere = (second: string) =>
      several(
        [ID, second].map((id) => ({ id, amt: 5n, says: { currency: 'gold@elsewhere.example' } })),
        { amount: '10', currency: 'gold@elsewhere.example' },
      );
    expect(checkReport(elsewhere(ID), terms()).token).toEqual({ id: ID, units: 10n, assetId: null });
    expect(mismatchOf(elsewhere(OTHER))).toBe('another token');
  });

  it('rejects two assets in one payment, even with money, and a sum of money if no money is paid', () => {
    const two = [
      { id: ID, amt: 5n },
      { id: ID, amt: 5n, says: { currency: 'gold@one.example' } },
    ];
    expect(mismatchOf(several(two, { amount: '5' }))).toBe('mixed currencies');
    const { report, transaction, key } = createTestReport([1_000n]);
    const assets = several(two);
    const rawtx = toHex(
      serializeTransaction({
        ...transaction,
        outputs: [...transaction.outputs, ...parseTransaction(fromHex(assets.rawtx)).outputs],
      }),
    );
    const beside = { ...report, rawtx, outputs: [...report.outputs, ...assets.outputs] };
    expect(mismatchOf(proveReport(beside, SENDER, key))).toBe('an asset’s output contains no token');
    for (const amount of ['0', '5'])
      expect(mismatchOf(several([{ id: ID, amt: 5n }], { amount, currency: 'USD' })), amount).toBe(
        'an amount is zero, but satoshis are paid',
      );
  });

  it('accepts money together with one asset if the amount is the money’s', () => {
    const { report, transaction, key } = createTestReport([1n, 200_000n]);
    const [first, second] = report.outputs as [Output, Output];
    const script = writeTokenScript({ op: 'transfer', id: ID, amt: 5n }, fromHex(first.scripts[0]?.script ?? ''));
    const outputs = transaction.outputs.map((one, i) => (i === 0 ? { ...one, lockingScript: script } : one));
    const token = { ...first, currency: ID, amount: '5', scripts: [{ script: toHex(script), satoshis: '1' }] };
    const rawtx = toHex(serializeTransaction({ ...transaction, outputs }));
    const both = { ...report, rawtx, amount: second.amount, currency: 'USD', outputs: [token, second] };
    expect(check(proveReport(both, SENDER, key))).toBe(200_001n);
    for (const wrong of [{ amount: '5', currency: ID }, { amount: '5.10' }, { currency: 'EUR' }])
      expect(check(proveReport({ ...both, ...wrong }, SENDER, key)), JSON.stringify(wrong)).toBe('payment-mismatch');
  });
});

describe('checkReport', () => {
  it('computes ids and the sum from the transaction', () => {
    const { report, txid } = createTestReport([200_000n, 300_000n]);
    const checked = checkReport(report, terms());
    expect(checked).toMatchObject({ txid, satoshis: 500_000n, outputSatoshis: 505_000n, token: null });
    expect(checked.normalizedTxid).toMatch(/^[0-9a-f]{64}$/);
    expect(checked.normalizedTxid).not.toBe(txid);
  });

  it('rejects every truncation and every trailing byte', () => {
    const { report } = createTestReport();
    for (let length = 0; length < report.rawtx.length; length += 2) {
      expect(codeOf({ ...report, rawtx: report.rawtx.slice(0, length) }), `${length}`).toBe('invalid-transaction');
    }
    expect(codeOf({ ...report, rawtx: `${report.rawtx}00` })).toBe('invalid-transaction');
  });

  it('requires two outputs for two equal declarations', () => {
    const { report } = createTestReport([1_000n]);
    const twice: PaymentReport = { ...report, amount: '0.20', outputs: [...report.outputs, ...report.outputs] };
    expect(mismatchOf(twice)).toBe(NOT_AMONG);
    const { transaction, key } = createTestReport();
    const output = { satoshis: 1_000n, lockingScript: fromHex(report.outputs[0]?.scripts[0]?.script ?? '') };
    const rawtx = toHex(serializeTransaction({ ...transaction, outputs: [output, output] }));
    expect(codeOf(proveReport({ ...twice, rawtx }, SENDER, key))).toBe('fine');
  });

  it('rejects outputs that the transaction doesn’t pay', () => {
    const { report } = createTestReport([200_000n]);
    const script = report.outputs[0]?.scripts[0]?.script ?? '';
    const other = { address: writeAddress(otherHash, 'devnet'), script: toHex(p2pkhScript(otherHash)) };
    const [fields, sum] = [
      'an ADDRESS output has invalid fields',
      'an output’s satoshis differ from those of its scripts',
    ];
    const cases: [string, Partial<Output>, string][] = [
      ['another script', { scripts: [{ script: other.script, satoshis: '200000' }] }, NOT_AMONG],
      ['another address', { address: other.address, to: other.address }, 'a script does not pay its address'],
      ['another name for it', { to: other.address }, fields],
      ['more satoshis', { satoshis: '200001', scripts: [{ script, satoshis: '200001' }] }, NOT_AMONG],
      ['satoshis that are not the scripts’', { satoshis: '200001' }, sum],
      ['satoshis not as we write them', { satoshis: '0200000' }, sum],
      ['no scripts', { satoshis: '0', scripts: [] }, 'an output has no value, or a data output has one'],
      ['an upper-case script', { scripts: [{ script: script.toUpperCase(), satoshis: '200000' }] }, NOT_AMONG],
      ['another type', { type: 'SCRIPT' }, 'a SCRIPT output has invalid fields'],
      ['a paymail beside it', { paymail: 'eve@example.com' }, OTHER_KIND],
      ['a user beside it', { userId: '1001' }, OTHER_KIND],
      ['a destination beside it', { reference: 'ref' }, OTHER_KIND],
      ['a script beside it', { script }, fields],
      ['no address', { address: null }, fields],
    ];
    for (const [name, change, why] of cases) expect(mismatchOf(changed(report, change)), name).toBe(why);
    expect(codeOf(report, 'mainnet')).toBe('invalid-recipient');
  });

  it.each([
    [{ min: '0.05', max: '0.1' }, 'fine'],
    [{ min: '0.11' }, 'the chosen amount is outside its bounds'],
    [{ max: '0.0999' }, 'the chosen amount is outside its bounds'],
  ])('checks a chosen amount of 0.10 against its bounds %j: %s', (choice, outcome) => {
    expect(mismatchOf({ ...createTestReport().report, choice })).toBe(outcome);
  });

  it('rejects outputs whose amounts don’t sum to the payment’s, for any number of decimals', () => {
    const { report } = createTestReport([200_000n, 300_000n]);
    expect(codeOf({ ...report, amount: '0.2' })).toBe('fine');
    expect(codeOf({ ...report, amount: '0.200000' })).toBe('fine');
    expect(mismatchOf({ ...report, amount: '0.21' })).toBe('the outputs’ amounts do not sum to the payment’s');
    expect(mismatchOf({ ...report, currency: 'EUR' })).toBe('an amount is zero, but satoshis are paid');
    expect(mismatchOf({ ...changed(report, { currency: 'EUR' }), amount: '0.10' })).toBe('mixed currencies');
    for (const amount of ['', '-0.20', '2e-1', '0.2 ', '.2', 'NaN'])
      expect(codeOf({ ...report, amount })).toBe('invalid-amount');
    expect(codeOf({ ...changed(report, { amount: '0.00' }), amount: '0.10' })).toBe('invalid-amount');
  });

  it('compares amounts in BSV to the satoshi', () => {
    const { report } = createTestReport([150_000_000n]);
    const bsv = (amount: string) => ({ ...changed(report, { amount, currency: 'BSV' }), amount, currency: 'BSV' });
    expect(codeOf(bsv('1.50'))).toBe('fine');
    expect(mismatchOf(bsv('1.51'))).toBe('an amount of BSV differs from its satoshis');
  });

  it('accepts only the requested script', () => {
    const { report } = createTestReport();
    const script = `OP_DUP OP_HASH160 ${report.outputs[0]?.scripts[0]?.script.slice(6, 46)} OP_EQUALVERIFY OP_CHECKSIG`;
    expect(codeOf(changed(report, { type: 'SCRIPT', address: null, script, to: script }))).toBe('fine');
    const [other, address] = [script.replace('OP_DUP', 'OP_NOP'), report.outputs[0]?.address ?? ''];
    const cases: [string, Partial<Output>, string][] = [
      ['another script', { script: other, to: other }, 'a script differs from the requested one'],
      ['no script that can be read', { script: 'OP_X', to: 'OP_X' }, 'a script differs from the requested one'],
      ['another name for it', { to: other }, 'a SCRIPT output has invalid fields'],
      ['an address beside it', { address }, 'a SCRIPT output has invalid fields'],
    ];
    for (const [name, change, why] of cases)
      expect(mismatchOf(changed(report, { type: 'SCRIPT', address: null, script, to: script, ...change })), name).toBe(
        why,
      );
  });

  it('[S-09] accepts its own paymails and user IDs only with the destination issued for that user, and other hosts’ paymails as claimed', () => {
    const { report } = createTestReport([200_000n, 300_000n]);
    const destinations = given(report);
    const person = (change: Partial<Output>, more: Partial<Output> = {}): PaymentReport => ({
      ...changed(report, { address: null, reference: 'ref', ...change, ...more }),
    });
    const user = (more: Partial<Output> = {}) => person({ type: 'USER', userId: '1007', to: '1007' }, more);
    const paymail = (more: Partial<Output> = {}) =>
      person({ type: 'PAYMAIL', paymail: 'Alice@ONE.example', to: 'Alice@ONE.example' }, more);
    const foreign = (more: Partial<Output> = {}) =>
      person({ type: 'PAYMAIL', paymail: 'bob@two.example', to: 'bob@two.example', reference: 'theirs' }, more);
    const mismatch = (changedReport: PaymentReport) => mismatchOf(changedReport, { destinations });
    for (const good of [user(), paymail(), foreign(), foreign({ reference: null })])
      expect(mismatch(good)).toBe('fine');
    const recipients = (good: PaymentReport) => checkReport(good, { ...terms(), destinations }).recipients;
    expect([user(), paymail(), foreign()].map(recipients)).toEqual([
      [USER_ID, null],
      [USER_ID, null],
      [null, null],
    ]);
    const script = report.outputs[0]?.scripts[0]?.script ?? '';
    const [another, none] = ['another’s destination', 'a recipient at this service has no destination issued by it'];
    const cases: [string, PaymentReport, string][] = [
      ['another user', user({ userId: '1008', to: '1008' }), another],
      ['another paymail', paymail({ paymail: 'bob@one.example', to: 'bob@one.example' }), another],
      ['another host with our reference', foreign({ reference: 'ref' }), another],
      ['a user without a reference', user({ reference: null }), none],
      [
        'a user who is called like a paymail elsewhere',
        user({ userId: 'bob@two.example', to: 'bob@two.example', reference: null }),
        none,
      ],
      ['an unknown reference', user({ reference: 'other' }), none],
      ['a paymail here without a reference', paymail({ reference: null }), none],
      ['an address beside it', user({ address: report.outputs[0]?.address ?? '' }), OTHER_KIND],
      ['a script beside it', user({ script }), OTHER_KIND],
      ['both', user({ paymail: PAYMAIL }), OTHER_KIND],
      ['another name for it', user({ to: '1009' }), OTHER_KIND],
    ];
    for (const [name, wrong, why] of cases) expect(mismatch(wrong), name).toBe(why);
    expect(mismatch(foreign({ paymail: 'nobody', to: 'nobody' }))).toBe('invalid-recipient');
  });

  it('[S-09] recognizes its own internationalized domain in Unicode and in ASCII', () => {
    const { report } = createTestReport();
    const destinations = new Map([
      ['ref', { userId: USER_ID, paymail: 'bob@xn--bcher-kva.example', outputs: report.outputs[0]?.scripts ?? [] }],
    ]);
    const to = (paymail: string, reference: string | null) =>
      mismatchOf(changed(report, { type: 'PAYMAIL', address: null, to: paymail, paymail, reference }), {
        paymailDomain: 'xn--bcher-kva.example',
        destinations,
      });
    for (const domain of [
      'xn--bcher-kva.example',
      'bücher.example',
      'BÜCHER.Example',
      'bu\u0308cher.example',
      'ｂücher．example',
      'bücher.example。',
    ]) {
      expect(to(`bob@${domain}`, 'ref'), domain).toBe('fine');
      expect(to(`eve@${domain}`, 'ref'), domain).toBe('another’s destination');
      expect(to(`bob@${domain}`, null), domain).toBe('a recipient at this service has no destination issued by it');
    }
    expect(to('bob@bucher.example', 'ref')).toBe('another’s destination');
    expect(to('bob@bucher.example', null)).toBe('fine');
  });

  it('[S-09] accepts exactly the issued scripts and values for its own destination, in any order, once', () => {
    const { report, transaction, key } = createTestReport([200_000n, 300_000n, 200_000n]);
    const [one, two, three] = report.outputs.map(({ scripts }) => scripts[0]) as [Script, Script, Script];
    const [template] = report.outputs as [Output];
    const toUser = (scripts: Script[], reference = 'ref'): Output => ({
      ...template,
      type: 'USER',
      userId: '1007',
      to: '1007',
      address: null,
      reference,
      scripts,
      satoshis: String(scripts.reduce((sum, { satoshis }) => sum + Number(satoshis), 0)),
    });
    const mismatch = (outputs: Output[], given: Script[], said = report) =>
      mismatchOf(
        { ...said, amount: outputs.length > 1 ? '0.20' : '0.10', outputs },
        {
          destinations: new Map(
            ['ref', 'second'].map((ref) => [ref, { userId: USER_ID, paymail: PAYMAIL, outputs: given }]),
          ),
        },
      );
    for (const scripts of [
      [one, two],
      [two, one],
    ])
      expect(mismatch([toUser(scripts)], [one, two])).toBe('fine');
    for (const given of [[two], [three], [{ ...one, satoshis: '200001' }], [one, two], [one, one]])
      expect(mismatch([toUser([one])], given)).toBe('the scripts differ from those issued for the destination');
    // Two payments to equal destinations in one transaction must name two references.
    const again = { ...transaction, outputs: [...transaction.outputs, ...transaction.outputs] };
    const twice = proveReport({ ...report, rawtx: toHex(serializeTransaction(again)) }, SENDER, key);
    expect(mismatch([toUser([one]), toUser([one], 'second')], [one], twice)).toBe('fine');
    expect(mismatch([toUser([one]), toUser([one])], [one], twice)).toBe('two recipients share one destination');
    // Other hosts' references, and recipients without a reference, aren't checked.
    const foreign = {
      ...toUser([one], 'theirs'),
      type: 'PAYMAIL' as const,
      userId: null,
      paymail: 'bob@two.example',
      to: 'bob@two.example',
    };
    expect(mismatch([foreign, foreign], [one], twice)).toBe('fine');
    expect(mismatch([template, template], [one], twice)).toBe('fine');
  });

  it('[S-03] accepts unspendable data with amount zero, and nothing else without value', () => {
    const { report, transaction, key } = createTestReport([0n, 200_000n]);
    const data = '006a0568656c6c6f';
    const withScript = (script: string, amount: string, satoshis = 0n) => {
      const outputs = transaction.outputs.map((output, i) =>
        i === 0 ? { satoshis, lockingScript: fromHex(script) } : output,
      );
      const rawtx = toHex(serializeTransaction({ ...transaction, outputs }));
      const changedOutput = {
        type: 'SCRIPT' as const,
        address: null,
        script,
        to: script,
        amount,
        satoshis: String(satoshis),
        scripts: [{ script, satoshis: String(satoshis) }],
      };
      return proveReport(
        { ...changed(report, changedOutput), rawtx, amount: amount === '0' ? '0.10' : '0.20' },
        SENDER,
        key,
      );
    };
    const NO_VALUE = 'an output has no value, or a data output has one';
    expect(codeOf(withScript(data, '0'))).toBe('fine');
    const inBsv = withScript(data, '0');
    const bsv = inBsv.outputs.map((output, i) => ({ ...output, currency: 'BSV', amount: i === 0 ? '0' : '0.002' }));
    expect(codeOf({ ...inBsv, outputs: bsv, amount: '0.002', currency: 'BSV' })).toBe('fine');
    expect(codeOf(withScript(data, '0.10'))).toBe('invalid-amount');
    expect(mismatchOf(withScript(data, '0', 1n))).toBe(NO_VALUE);
    expect(codeOf(withScript('6a0568656c6c6f', '0'))).toBe('invalid-amount');
    expect(mismatchOf(withScript('6a0568656c6c6f', '0.10'))).toBe(NO_VALUE);
    expect(codeOf({ ...changed(report, { amount: '0' }), amount: '0.10' })).toBe('invalid-amount');
    // Data and money for the same recipient can't share an output.
    const both = withScript(data, '0');
    const [first, second] = both.outputs as [Output, Output];
    const output = {
      ...first,
      amount: '0.10',
      satoshis: second.satoshis,
      scripts: [...first.scripts, ...second.scripts],
    };
    expect(mismatchOf({ ...both, outputs: [output] })).toBe(OTHER_KIND);
  });

  it('[S-01] rejects a report that contains encrypted or decrypted data', () => {
    const { report } = createTestReport();
    const nothing = {
      value: null,
      valueEncoding: null,
      key: 'identity' as const,
      algorithm: null,
      publicKey: null,
      paymail: null,
      signature: null,
      verified: null,
    };
    const withOperation = (operation: object) =>
      codeOf({
        ...report,
        cryptoOperations: [
          { id: '1', name: 'a', method: 'encrypt', data: null, dataEncoding: null, ...nothing, ...operation },
        ],
      });
    expect(withOperation({ value: '00ff', valueEncoding: 'hex' })).toBe('fine');
    expect(withOperation({ method: 'sign', data: 'hello', dataEncoding: 'utf8' })).toBe('payment-mismatch');
    expect(withOperation({ method: 'public-key', value: 'ff' })).toBe('fine');
    expect(withOperation({ method: 'decrypt' })).toBe('fine');
    expect(withOperation({ data: 'secret' })).toBe('invalid-request');
    expect(withOperation({ method: 'decrypt', data: '00ff' })).toBe('invalid-request');
    expect(withOperation({ method: 'decrypt', value: 'secret' })).toBe('invalid-request');
  });

  it('never accepts a transaction with one bit flipped as the same', () => {
    const { report, txid, key } = createTestReport();
    fc.assert(
      fc.property(fc.nat(report.rawtx.length * 4 - 1), (bit) => {
        const bytes = fromHex(report.rawtx);
        bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
        const altered = { ...report, rawtx: toHex(bytes) };
        expect(codeOf(altered)).not.toBe('fine');
        try {
          expect(checkReport(proveReport(altered, SENDER, key), terms()).txid).not.toBe(txid);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('the proof of a report', () => {
  /** Returns the same payment with changed inputs and a matching proof. */
  const withInputs = (
    { report, transaction, key }: ReturnType<typeof createTestReport>,
    ...inputs: Partial<TransactionInput>[]
  ) => {
    const [first] = transaction.inputs as [TransactionInput];
    const rawtx = toHex(
      serializeTransaction({ ...transaction, inputs: inputs.map((input) => ({ ...first, ...input })) }),
    );
    return proveReport({ ...report, rawtx }, SENDER, key);
  };

  it('proves one payment, one transaction, one account and one key', () => {
    const { report, key } = createTestReport();
    const other = createTestReport();
    const proofs: [string, PaymentReport][] = [
      ['another id', proveReport({ ...report, id: randomUUID() }, SENDER, key)],
      ['another transaction', proveReport({ ...report, rawtx: other.report.rawtx }, SENDER, key)],
      ['another account', proveReport(report, newPublicKey(), key)],
      ['another key', proveReport(report, SENDER, other.key)],
      ['another report', other.report],
    ];
    for (const [name, { inputProof }] of proofs)
      expect(mismatchOf({ ...report, inputProof }), name).toBe('the proof is not signed by the first input’s key');
    expect(codeOf(report, 'devnet', newPublicKey())).toBe('payment-mismatch');
    expect(codeOf(proveReport(report, SENDER, key))).toBe('fine');
  });

  it('must be by the first input’s key', () => {
    const [made, other] = [createTestReport(), createTestReport()];
    const [own, foreign] = [made.transaction.inputs[0] ?? {}, other.transaction.inputs[0] ?? {}];
    expect(codeOf(withInputs(made, own, foreign))).toBe('fine');
    expect(codeOf(withInputs(made, foreign, own))).toBe('payment-mismatch');
  });

  it('requires an unlocking script that ends in the compressed key', () => {
    const made = createTestReport();
    const publicKey = fromHex(made.key.toPublicKey().toString());
    const uncompressed = Uint8Array.from(made.key.toPublicKey().encode(false) as number[]);
    const signature = pushData(new Uint8Array(71).fill(0x30));
    const coinbase = { txid: '0'.repeat(64), vout: 0xffff_ffff };
    const cases: [string, Partial<TransactionInput>][] = [
      ['empty', { unlockingScript: new Uint8Array() }],
      [
        'a coinbase',
        {
          ...coinbase,
          unlockingScript: concatBytes(pushData(Uint8Array.of(1, 2, 3)), new TextEncoder().encode('/a miner/')),
        },
      ],
      ['a long coinbase', { ...coinbase, unlockingScript: new Uint8Array(100).fill(0x51) }],
      ['one byte', { unlockingScript: Uint8Array.of(0x21) }],
      ['a key cut short', { unlockingScript: pushData(publicKey).slice(0, -1) }],
      ['less than a key', { unlockingScript: publicKey.slice(1) }],
      ['a signature alone', { unlockingScript: signature }],
      [
        'a key, then something else',
        { unlockingScript: concatBytes(signature, pushData(publicKey), Uint8Array.of(0x51)) },
      ],
      ['the whole key', { unlockingScript: concatBytes(signature, pushData(uncompressed)) }],
      ['no point of the curve', { unlockingScript: concatBytes(signature, pushData(new Uint8Array(33).fill(0xff))) }],
      ['zeros', { unlockingScript: concatBytes(signature, pushData(new Uint8Array(33))) }],
    ];
    for (const [name, input] of cases) expect(codeOf(withInputs(made, input)), name).toBe('payment-mismatch');
    expect(codeOf(withInputs(made))).toBe('invalid-transaction');
    expect(codeOf(withInputs(made, { unlockingScript: concatBytes(signature, pushData(publicKey)) }))).toBe('fine');
  });

  it('must be a canonical signature', () => {
    const { report } = createTestReport();
    const zeros = Buffer.alloc(65);
    const cases = [
      '',
      'A',
      '='.repeat(88),
      zeros.toString('base64'),
      zeros.fill(0xff).toString('base64'),
      report.inputProof.slice(0, -1),
      ` ${report.inputProof}`,
    ];
    for (const inputProof of cases) expect(codeOf({ ...report, inputProof }), inputProof).toBe('payment-mismatch');
  });
});
