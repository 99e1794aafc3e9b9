import { describe, expect, test } from 'vitest';
import { MAX_CALL_ITEMS, MAX_CALL_NAMES, MAX_CUSTOM_INSTRUCTIONS } from '../payments/limits.ts';
import { BRC100_METHODS } from '../messages/wire.ts';
import { brc100Arguments, isSupported, type SupportedMethod } from './methods.ts';

const TXID = 'ab'.repeat(32);
const KEY = `02${'ab'.repeat(32)}`;
const OUTPUT = { lockingScript: '51', satoshis: 1, outputDescription: 'a thing' };
const INPUT = { outpoint: `${TXID}.0`, unlockingScriptLength: 107, inputDescription: 'a thing' };
const WITH_KEY = { protocolID: [1, 'tests of calls'], keyID: '1' };
const PAYMENT = { derivationPrefix: 'YWI=', derivationSuffix: 'YWI=', senderIdentityKey: KEY };
const RECEIVED = { protocol: 'wallet payment', outputIndex: 0, paymentRemittance: PAYMENT };

const MINIMAL_ARGS: Record<SupportedMethod, object> = {
  createAction: { description: 'a thing' },
  signAction: { reference: 'YWI=', spends: {} },
  abortAction: { reference: 'YWI=' },
  listActions: {},
  internalizeAction: { outputs: [RECEIVED], description: 'a thing', tx: [1] },
  listOutputs: { basket: 'things' },
  relinquishOutput: { basket: 'things', output: `${TXID}.0` },
  getPublicKey: WITH_KEY,
  encrypt: { plaintext: [1], ...WITH_KEY },
  decrypt: { ciphertext: [1], ...WITH_KEY },
  createHmac: { data: [1], ...WITH_KEY },
  verifyHmac: { data: [1], hmac: [2], ...WITH_KEY },
  createSignature: { data: [1], ...WITH_KEY },
  verifySignature: { data: [1], signature: [2], ...WITH_KEY },
  isAuthenticated: {},
  waitForAuthentication: {},
  getHeight: {},
  getHeaderForHeight: { height: 0 },
  getNetwork: {},
  getVersion: {},
};

const read = (method: SupportedMethod, args: unknown) => brc100Arguments[method].safeParse(args);
const problem = (method: SupportedMethod, args: unknown): string | null => {
  const [issue] = read(method, args).error?.issues ?? [];
  return issue ? `${issue.path.join('.')}: ${issue.message}` : null;
};

const RIGHTS = { privileged: false, privilegedReason: undefined, seekPermission: true };
const KEYED = { protocolID: [1, 'tests of calls'], keyID: '1', counterparty: undefined, ...RIGHTS };
const PROCESSING = { acceptDelayedBroadcast: true, returnTXIDOnly: false, noSend: false, sendWith: [] };
const one = Uint8Array.of(1);
const two = Uint8Array.of(2);
const LIST = { labelQueryMode: 'any', labels: [], limit: 10, offset: 0, seekPermission: true };

const DEFAULTS: Record<SupportedMethod, object> = {
  createAction: {
    description: 'a thing',
    inputBEEF: undefined,
    inputs: [],
    outputs: [],
    lockTime: 0,
    version: 1,
    labels: [],
    options: {
      signAndProcess: true,
      ...PROCESSING,
      trustSelf: undefined,
      knownTxids: [],
      noSendChange: [],
      randomizeOutputs: true,
    },
  },
  signAction: { reference: 'YWI=', spends: {}, options: PROCESSING },
  abortAction: { reference: 'YWI=' },
  listActions: {
    ...LIST,
    includeLabels: false,
    includeInputs: false,
    includeInputSourceLockingScripts: false,
    includeInputUnlockingScripts: false,
    includeOutputs: false,
    includeOutputLockingScripts: false,
  },
  internalizeAction: {
    outputs: [{ ...RECEIVED, insertionRemittance: undefined }],
    description: 'a thing',
    labels: [],
    seekPermission: true,
    tx: one,
  },
  listOutputs: {
    tagQueryMode: 'any',
    basket: 'things',
    tags: [],
    include: undefined,
    includeCustomInstructions: false,
    includeTags: false,
    includeLabels: false,
    limit: 10,
    offset: 0,
    seekPermission: true,
  },
  relinquishOutput: { basket: 'things', output: `${TXID}.0` },
  getPublicKey: { identityKey: undefined, ...KEYED, forSelf: false },
  encrypt: { plaintext: one, ...KEYED },
  decrypt: { ciphertext: one, ...KEYED },
  createHmac: { data: one, ...KEYED },
  verifyHmac: { data: one, hmac: two, ...KEYED },
  createSignature: { data: one, hashToDirectlySign: undefined, ...KEYED },
  verifySignature: { data: one, hashToDirectlyVerify: undefined, signature: two, ...KEYED, forSelf: false },
  isAuthenticated: {},
  waitForAuthentication: {},
  getHeight: {},
  getHeaderForHeight: { height: 0 },
  getNetwork: {},
  getVersion: {},
};

test('exactly the methods that have arguments are supported, and no other name is a method', () => {
  expect(BRC100_METHODS.filter(isSupported)).toEqual(BRC100_METHODS.filter((method) => method in MINIMAL_ARGS));
  expect(['', 'pay', '__proto__', 'constructor', 'toString'].filter(isSupported)).toEqual([]);
});

test.each(Object.keys(MINIMAL_ARGS) as SupportedMethod[])(
  'the optional arguments of %s have default values, even if they are null',
  (method) => {
    expect(read(method, MINIMAL_ARGS[method]).data).toEqual(DEFAULTS[method]);
    const optional = Object.keys(DEFAULTS[method]).filter((name) => !(name in MINIMAL_ARGS[method]));
    const withNull = { ...MINIMAL_ARGS[method], ...Object.fromEntries(optional.map((name) => [name, null])), other: 1 };
    expect(read(method, withNull).data).toEqual(DEFAULTS[method]);
    for (const name of Object.keys(MINIMAL_ARGS[method]))
      // The arguments must contain `data` or its hash, so omitting either is valid.
      expect(problem(method, { ...MINIMAL_ARGS[method], [name]: undefined }), name).not.toBeNull();
    expect([null, [], 'x', 5, undefined].map((args) => problem(method, args) === null)).toEqual(Array(5).fill(false));
  },
);

const BOOLEAN: Kind = [
  [
    [true, true],
    [false, false],
  ],
  [0, 1, 'true', 'false', {}],
  'a boolean.',
];
type Kind = [good: [value: unknown, read: unknown][], bad: unknown[], message?: string];
const same = (...values: unknown[]) => values.map((value): [unknown, unknown] => [value, value]);
const NAME: Kind = [
  [...same('a', 'x'.repeat(300), 'ä'.repeat(150)), [' Some Things ', 'some things']],
  ['', ' ', 'x'.repeat(301), 'ä'.repeat(151), 'a\ud800', 5],
];
const NAMES: Kind = [
  [...NAME[0].map(([value, is]): [unknown, unknown] => [[value], [is]]), ...same(Array(MAX_CALL_NAMES).fill('a'))],
  [...NAME[1].map((value) => [value]), Array(MAX_CALL_NAMES + 1).fill('a'), 'a', {}],
];
const DESCRIPTION: Kind = [
  same('12345', 'äöü', 'x'.repeat(2000)),
  ['', '1234', 'äö', 'x'.repeat(2001), `${'x'.repeat(1999)}ä`, 'four\ud800', 5],
];
const HEX: Kind = [
  [...same('00', 'ab'.repeat(500)), [' 0aFF ', '0aff']],
  ['', '0', '0g', '0x00', 'a b ', 5, [0]],
];
const BASE64: Kind = [
  [...same('YWI=', 'YQ==', 'YWJj', 'YWI', 'YQ', '+/+/', 'A'.repeat(1000)), [' YWI= ', 'YWI=']],
  ['', ' ', '=', '==', 'Y', 'YWJjY', 'YWI==', 'YQ=', 'Y===', 'YW=I', '*AAA', '_-_-'],
  'valid base64 string',
];
const BYTES: Kind = [
  [
    [[0, 255], Uint8Array.of(0, 255)],
    [[], new Uint8Array()],
  ],
  [[-1], [256], [0.5], ['1'], [NaN], [0, 256], 'ab', { length: 1, 0: 1 }, 5],
  'an array of bytes.',
];
const HASH: Kind = [
  [[Array(32).fill(7), new Uint8Array(32).fill(7)]],
  [
    Array(31).fill(7),
    Array(33).fill(7),
    Array(32).fill(256),
    Array(32).fill('7'),
    [...Array(31).fill(7), 256],
    'x'.repeat(32),
  ],
  'a 32-byte hash.',
];
const UINT32: Kind = [same(0, 1, 0xff_ff_ff_ff), [-1, 0.5, 2 ** 32, '1', NaN]];
const SATOSHIS: Kind = [
  [
    [0, 0n],
    [1, 1n],
    [21e14, 2_100_000_000_000_000n],
  ],
  [-1, 0.5, 21e14 + 1, '1', null, undefined, NaN],
  'a valid number of satoshis',
];
const IDS: Kind = [
  [...same([TXID], []), [[` ${TXID.toUpperCase()} `], [TXID]], ...same(Array(MAX_CALL_NAMES).fill(TXID))],
  [[TXID.slice(1)], [`${TXID}a`], [`g${TXID.slice(1)}`], [5], TXID, Array(MAX_CALL_NAMES + 1).fill(TXID)],
];
const OUTPOINT: Kind = [
  [...same(`${TXID}.0`, `${TXID}.4294967295`), [`${TXID.toUpperCase()}.1`, `${TXID}.1`]],
  [
    TXID,
    `${TXID}_0`,
    `${TXID}.`,
    `${TXID}.01`,
    `${TXID}.4294967296`,
    `${TXID}.-1`,
    `x${TXID}.0`,
    `${TXID}.0 `,
    `${TXID}.0x`,
    5,
  ],
];
const LIMIT: Kind = [same(1, 10_000), [0, 10_001, 1.5, '1']];
const PUBLIC_KEY: Kind = [
  [...same(KEY, `03${'00'.repeat(32)}`), [KEY.toUpperCase(), KEY]],
  ['', `04${'ab'.repeat(32)}`, `${KEY}00`, KEY.slice(2), `x${KEY}`, 5],
];
const COUNTERPARTY: Kind = [
  [...same('self', 'anyone'), ...PUBLIC_KEY[0]],
  [...PUBLIC_KEY[1], 'somebody', 'Self'],
  'a compressed public key as 66 hexadecimal digits.',
];
const PROTOCOL: Kind = [
  [
    ...same([0, 'tests'], [1, 'a 1 b'], [2, 'x'.repeat(400)], [1, 'protocol'], [1, 'protocol x']),
    [
      [2, ' Tests Of Calls '],
      [2, 'tests of calls'],
    ],
  ],
  [
    [3, 'tests'],
    [-1, 'tests'],
    ['1', 'tests'],
    [1, 'four'],
    [1, ' four '],
    [1, 'x'.repeat(401)],
    [1, 'two  spaces'],
    [1, 'a protocol'],
    [1, 'a protocol '],
    [1, 'under_score'],
    [1, 'ünicode'],
    [1, 5],
    [1],
    [1, 'tests', 'tests'],
    'tests',
  ],
];
const INSTRUCTIONS: Kind = [
  same('', 'x'.repeat(MAX_CUSTOM_INSTRUCTIONS)),
  ['x'.repeat(MAX_CUSTOM_INSTRUCTIONS + 1), '\ud800', 5],
];

/** Fields by path. `*` stands for the only element of an array. */
const FIELDS: [method: SupportedMethod, path: string, kind: Kind, base?: object][] = [
  ['createAction', 'description', DESCRIPTION],
  ['createAction', 'inputBEEF', BYTES],
  ['createAction', 'inputs.*.outpoint', OUTPOINT],
  ['createAction', 'inputs.*.inputDescription', DESCRIPTION],
  ['createAction', 'inputs.*.sequenceNumber', UINT32],
  ['createAction', 'inputs.*.unlockingScript', HEX, { inputs: [{ ...INPUT, unlockingScriptLength: undefined }] }],
  ['createAction', 'inputs.*.unlockingScriptLength', [same(1, 0xff_ff_ff_ff), [0, -1, 0.5, 2 ** 32, '1']]],
  ['createAction', 'outputs.*.lockingScript', HEX],
  ['createAction', 'outputs.*.satoshis', SATOSHIS],
  ['createAction', 'outputs.*.outputDescription', DESCRIPTION],
  ['createAction', 'outputs.*.basket', NAME],
  ['createAction', 'outputs.*.customInstructions', INSTRUCTIONS],
  ['createAction', 'outputs.*.tags', NAMES],
  ['createAction', 'lockTime', UINT32],
  ['createAction', 'version', UINT32],
  ['createAction', 'labels', NAMES],
  ['createAction', 'options.signAndProcess', BOOLEAN],
  ['createAction', 'options.acceptDelayedBroadcast', BOOLEAN],
  ['createAction', 'options.returnTXIDOnly', BOOLEAN],
  ['createAction', 'options.noSend', BOOLEAN],
  ['createAction', 'options.randomizeOutputs', BOOLEAN],
  ['createAction', 'options.sendWith', IDS],
  ['createAction', 'options.knownTxids', IDS],
  [
    'createAction',
    'options.noSendChange',
    [
      same([`${TXID}.1`], Array(MAX_CALL_NAMES).fill(`${TXID}.1`)),
      [[TXID], TXID, Array(MAX_CALL_NAMES + 1).fill(`${TXID}.1`)],
    ],
  ],
  ['createAction', 'options.trustSelf', [same('known'), ['', 'all', true], "'known' or undefined."]],
  ['signAction', 'reference', BASE64],
  [
    'signAction',
    'spends',
    [
      same(
        {},
        { 0: { unlockingScript: '00', sequenceNumber: 1 } },
        { 1: { unlockingScript: '00', sequenceNumber: 0xff_ff_ff_ff } },
        { 9999999999: { unlockingScript: '00', sequenceNumber: undefined } },
      ),
      [
        [],
        'x',
        { '-1': { unlockingScript: '00' } },
        { '01': { unlockingScript: '00' } },
        { x1: { unlockingScript: '00' } },
        { '1x': { unlockingScript: '00' } },
        { 0: {} },
        { 0: { unlockingScript: '0' } },
        { 99999999999: { unlockingScript: '00' } },
        { 0: { unlockingScript: '00', sequenceNumber: -1 } },
        { 0: { unlockingScript: '00', sequenceNumber: 2 ** 32 } },
      ],
    ],
  ],
  ['signAction', 'options.noSend', BOOLEAN],
  ['abortAction', 'reference', BASE64],
  ['listActions', 'labelQueryMode', [same('any', 'all'), ['', 'none', 1], "undefined, 'any', or 'all'"]],
  ['listActions', 'labels', NAMES],
  ['listActions', 'limit', LIMIT],
  ['listActions', 'offset', [same(0, Number.MAX_SAFE_INTEGER), [-1, 0.5, '1']]],
  ...[
    'includeLabels',
    'includeInputs',
    'includeInputSourceLockingScripts',
    'includeInputUnlockingScripts',
    'includeOutputs',
    'includeOutputLockingScripts',
    'seekPermission',
  ].map((flag): [SupportedMethod, string, Kind] => ['listActions', flag, BOOLEAN]),
  ['internalizeAction', 'tx', BYTES],
  ['internalizeAction', 'description', DESCRIPTION],
  ['internalizeAction', 'labels', NAMES],
  ['internalizeAction', 'seekPermission', BOOLEAN],
  ['internalizeAction', 'outputs.*.outputIndex', UINT32],
  ['internalizeAction', 'outputs.*.paymentRemittance.derivationPrefix', BASE64],
  ['internalizeAction', 'outputs.*.paymentRemittance.derivationSuffix', BASE64],
  ['internalizeAction', 'outputs.*.paymentRemittance.senderIdentityKey', PUBLIC_KEY],
  ...(
    [
      ['basket', NAME],
      ['tags', NAMES],
      ['customInstructions', INSTRUCTIONS],
    ] as const
  ).map(([field, kind]): [SupportedMethod, string, Kind, object] => [
    'internalizeAction',
    `outputs.*.insertionRemittance.${field}`,
    kind,
    { outputs: [{ protocol: 'basket insertion', outputIndex: 0, insertionRemittance: { basket: 'things' } }] },
  ]),
  ['listOutputs', 'basket', NAME],
  ['listOutputs', 'tags', NAMES],
  ['listOutputs', 'tagQueryMode', [same('any', 'all'), ['', 'none', 1], "undefined, 'any', or 'all'"]],
  [
    'listOutputs',
    'include',
    [same('locking scripts', 'entire transactions'), ['', 'all', true], "'locking scripts' or 'entire transactions'"],
  ],
  ['listOutputs', 'limit', LIMIT],
  ['listOutputs', 'offset', [same(0, -1, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER), [0.5, '1', 2 ** 53]]],
  ...['includeCustomInstructions', 'includeTags', 'includeLabels', 'seekPermission'].map(
    (flag): [SupportedMethod, string, Kind] => ['listOutputs', flag, BOOLEAN],
  ),
  ['relinquishOutput', 'basket', NAME],
  ['relinquishOutput', 'output', OUTPOINT],
  // The arguments match neither variant, so the message can't name a field.
  ['getPublicKey', 'forSelf', [BOOLEAN[0], BOOLEAN[1]]],
  ['verifySignature', 'forSelf', BOOLEAN],
  ['encrypt', 'plaintext', BYTES],
  ['decrypt', 'ciphertext', BYTES],
  ['createHmac', 'data', BYTES],
  ['verifyHmac', 'data', BYTES],
  ['verifyHmac', 'hmac', BYTES],
  ['createSignature', 'data', BYTES],
  ['createSignature', 'hashToDirectlySign', HASH, { data: undefined }],
  ['verifySignature', 'data', BYTES],
  ['verifySignature', 'hashToDirectlyVerify', HASH, { data: undefined }],
  ['verifySignature', 'signature', BYTES],
  ['encrypt', 'protocolID', PROTOCOL],
  ['encrypt', 'keyID', [same('1', ' ', 'x'.repeat(800)), ['', 'x'.repeat(801), '\ud800', 5]]],
  ['encrypt', 'counterparty', COUNTERPARTY],
  ['encrypt', 'privileged', BOOLEAN],
  ['encrypt', 'privilegedReason', [same('12345', 'x'.repeat(50)), ['1234', 'x'.repeat(51), 5]]],
  ['encrypt', 'seekPermission', BOOLEAN],
  ['getHeaderForHeight', 'height', UINT32],
];

describe('a field', () => {
  const put = (at: any, path: readonly string[], value: unknown): any => {
    const [name = '', ...rest] = path;
    if (name === '*') return [put(at?.[0] ?? {}, rest, value)];
    return { ...at, [name]: rest.length > 0 ? put(at?.[name], rest, value) : value };
  };
  const get = (at: any, path: readonly string[]): unknown =>
    path.reduce((value, name) => value[name === '*' ? 0 : name], at);

  test.each(FIELDS)(
    '%s: %s is parsed as in the reference code, and nothing else is accepted',
    (method, path, kind, change = {}) => {
      const [good, bad, message] = kind;
      const base = {
        ...MINIMAL_ARGS[method],
        ...(path.startsWith('inputs') && { inputs: [INPUT] }),
        ...(path.startsWith('outputs') && method === 'createAction' && { outputs: [OUTPUT] }),
        ...change,
      };
      const steps = path.split('.');
      for (const [value, is] of good) {
        const { data, error } = read(method, put(base, steps, value));
        expect([JSON.stringify(value).slice(0, 80), error?.issues]).toEqual([
          JSON.stringify(value).slice(0, 80),
          undefined,
        ]);
        expect(get(data, steps)).toEqual(is);
      }
      for (const value of bad) {
        const said = problem(method, put(base, steps, value));
        expect([JSON.stringify(value)?.slice(0, 80), said]).not.toEqual([JSON.stringify(value)?.slice(0, 80), null]);
        if (message !== undefined) expect(said).toContain(message);
      }
    },
  );
});

const many = (n: number, item: object) => Array.from({ length: n }, () => item);

test('lists have at most 1,000 items', () => {
  const action = (n: number) => ({
    description: 'a thing',
    outputs: many(n, OUTPUT),
    inputs: many(n, INPUT),
  });
  expect(problem('createAction', action(MAX_CALL_ITEMS))).toBeNull();
  expect(problem('createAction', { ...action(MAX_CALL_ITEMS + 1), inputs: [] })).toBe(
    `outputs: no more than ${MAX_CALL_ITEMS} length.`,
  );
  expect(problem('createAction', { ...action(MAX_CALL_ITEMS + 1), outputs: [] })).toBe(
    `inputs: no more than ${MAX_CALL_ITEMS} length.`,
  );
  const received = (n: number) => ({ ...MINIMAL_ARGS.internalizeAction, outputs: many(n, RECEIVED) });
  expect(problem('internalizeAction', received(MAX_CALL_ITEMS))).toBeNull();
  expect(problem('internalizeAction', received(MAX_CALL_ITEMS + 1))).toBe(
    `outputs: no more than ${MAX_CALL_ITEMS} length.`,
  );
  expect(problem('internalizeAction', received(0))).toBe(
    'outputs: at least one output to internalize from the transaction',
  );
  expect(problem('createAction', { description: 'a thing', outputs: {} })).toBe('outputs: an array.');
  expect(problem('internalizeAction', { ...received(1), outputs: {} })).toBe('outputs: an array.');
});

test('an input has an unlocking script or its length, and the length must match', () => {
  const input = (more: object) =>
    problem('createAction', {
      description: 'a thing',
      inputs: [{ ...INPUT, unlockingScriptLength: undefined, ...more }],
    });
  expect(input({})).toBe('inputs.0.unlockingScript, unlockingScriptLength: at least one valid value.');
  expect(input({ unlockingScript: '0000', unlockingScriptLength: 1 })).toBe(
    'inputs.0.unlockingScriptLength: length unlockingScript if both valid.',
  );
  expect(input({ unlockingScript: '0000', unlockingScriptLength: 2 })).toBeNull();
});

test('an input has the final sequence number by default', () => {
  const { data } = read('createAction', { description: 'a thing', inputs: [INPUT] });
  expect(data).toMatchObject({ inputs: [{ ...INPUT, sequenceNumber: 0xff_ff_ff_ff }] });
});

test('an internalized output has the members that its protocol requires', () => {
  const output = (protocol: string, more: object) =>
    problem('internalizeAction', {
      ...MINIMAL_ARGS.internalizeAction,
      outputs: [{ protocol, outputIndex: 0, ...more }],
    });
  const insertionRemittance = { basket: 'things' };
  expect(output('wallet payment', { insertionRemittance })).toBe(
    "outputs.0.paymentRemittance: valid for protocol 'wallet payment'.",
  );
  expect(output('basket insertion', { paymentRemittance: PAYMENT })).toBe(
    "outputs.0.insertionRemittance: valid for protocol 'basket insertion'.",
  );
  expect(output('basket insertion', { insertionRemittance })).toBeNull();
  expect(output('anything', {})).toBe("outputs.0.protocol: 'basket insertion' or 'wallet payment'");
});

test('data to sign or verify is given as data or its hash', () => {
  expect(problem('createSignature', WITH_KEY)).toBe('data or hashToDirectlySign: valid.');
  expect(problem('verifySignature', { ...WITH_KEY, signature: [1] })).toBe('data or hashToDirectlyVerify: valid.');
});

test('the identity key needs no protocol, and any other key does', () => {
  expect(read('getPublicKey', { identityKey: true }).data).toEqual({ identityKey: true, ...RIGHTS });
  expect(read('getPublicKey', { identityKey: false, ...WITH_KEY }).data).toEqual({
    ...DEFAULTS.getPublicKey,
    identityKey: false,
  });
  expect(read('getPublicKey', { identityKey: false }).success).toBe(false);
});

test('error messages equal those of the reference code', () => {
  const output = (change: object) =>
    problem('createAction', { description: 'a thing', outputs: [{ ...OUTPUT, ...change }] });
  expect(problem('createAction', { description: 5 })).toBe('description: a string.');
  expect(problem('createAction', { description: 'four' })).toBe('description: at least 5 length.');
  expect(problem('createAction', { description: 'x'.repeat(2001) })).toBe('description: no more than 2000 length.');
  expect(problem('createAction', { description: 'half\ud800' })).toBe('description: well-formed text.');
  expect(output({ lockingScript: '0' })).toBe('outputs.0.lockingScript: even length.');
  expect(output({ lockingScript: '0g' })).toBe('outputs.0.lockingScript: hexadecimal string.');
  expect(problem('createAction', { description: 'a thing', lockTime: 0.5 })).toBe('lockTime: an integer');
  expect(problem('createAction', { description: 'a thing', lockTime: -1 })).toBe('lockTime: at least 0 length.');
  expect(problem('relinquishOutput', { basket: 'things', output: 'x' })).toBe(
    "output: txid as hex string and numeric output index joined with '.'",
  );
  expect(problem('relinquishOutput', { basket: 'things', output: `${TXID}.4294967296` })).toBe(
    'output: no more than 4294967295 length.',
  );
  expect(problem('abortAction', { reference: 'A'.repeat(1004) })).toBe('reference: no more than 1000 length.');
  const protocol = (protocolID: unknown) => problem('encrypt', { ...MINIMAL_ARGS.encrypt, protocolID });
  expect(protocol([3, 'tests'])).toBe('protocolID.0: a security level of 0, 1 or 2.');
  expect(protocol([1, 'four'])).toBe('protocolID.1: at least 5 length.');
  expect(protocol([1, 'x'.repeat(401)])).toBe('protocolID.1: no more than 400 length.');
  expect(protocol([1, 'under_score'])).toBe('protocolID.1: only letters, numbers and spaces.');
  expect(protocol([1, 'two  spaces'])).toBe('protocolID.1: free of consecutive spaces.');
  expect(protocol([1, 'a protocol'])).toBe('protocolID.1: without " protocol" at its end.');
  expect(protocol('tests')).toBe('protocolID: a security level and a protocol name.');
  expect(problem('encrypt', { ...MINIMAL_ARGS.encrypt, keyID: '' })).toBe('keyID: at least 1 length.');
  expect(problem('encrypt', { ...MINIMAL_ARGS.encrypt, keyID: 'x'.repeat(801) })).toBe(
    'keyID: no more than 800 length.',
  );
  expect(problem('encrypt', { ...MINIMAL_ARGS.encrypt, keyID: '\ud800' })).toBe('keyID: well-formed text.');
  expect(problem('signAction', { reference: 'YWI=', spends: 'x' })).toBe('spends: a map of input indexes.');
  expect(problem('createAction', { description: 'a thing', options: { sendWith: ['x'] } })).toBe(
    'options.sendWith.0: a transaction ID of 64 hexadecimal digits.',
  );
  expect(problem('getVersion', 5)).toBe(': an object.');
});
