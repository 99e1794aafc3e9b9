/**
 * The stores of all database versions that browsers may still have. The stores are spelled out, because upgrade tests
 * must start from the schema as released. For a new version, add its schema, and sample records from the previous
 * version.
 */

/** A store: its key path, and its indexes with their key paths (`!`: unique, `*`: multi-entry). */
export interface StoreShape {
  keyPath: string | string[] | null;
  indexes: Record<string, string | string[]>;
}

const VERSION_1: Record<string, StoreShape> = {
  addresses: { keyPath: 'script', indexes: { 'chain!': ['chain', 'index'] } },
  allowances: { keyPath: ['origin', 'clientIdentifier', 'kind'], indexes: {} },
  coins: {
    keyPath: 'outpoint',
    indexes: {
      height: 'height',
      held: ['status', 'script'],
      rank: ['status', 'tier', 'value'],
      script: 'script',
      status: 'status',
      txid: 'txid',
    },
  },
  headers: { keyPath: 'hash', indexes: { height: 'height' } },
  history: { keyPath: 'txid', indexes: { order: 'order' } },
  keyval: { keyPath: null, indexes: {} },
  operations: { keyPath: 'id', indexes: { createdAt: 'createdAt' } },
  paymails: { keyPath: 'paymail', indexes: {} },
  payments: {
    keyPath: 'id',
    indexes: {
      createdAt: 'createdAt',
      ended: 'ended.height',
      height: 'height',
      'input*': 'signed.inputs',
      'request!': ['origin', 'requestId'],
      site: ['origin', 'state'],
      state: 'state',
      unfinished: 'unfinished',
    },
  },
  prompts: { keyPath: ['origin', 'message'], indexes: {} },
  receipts: {
    keyPath: 'txid',
    indexes: { createdAt: 'createdAt', height: 'height', unasked: 'unasked', unconfirmed: 'unconfirmed' },
  },
  requests: { keyPath: 'id', indexes: { 'request!': ['origin', 'requestId'] } },
  sites: { keyPath: 'origin', indexes: {} },
  totals: { keyPath: null, indexes: {} },
};

const ADDED_IN_2: Record<string, StoreShape> = {
  payments: {
    keyPath: 'id',
    indexes: { ...VERSION_1.payments?.indexes, reference: ['origin', 'action.reference'], txid: 'signed.txid' },
  },
  appActions: {
    keyPath: 'id',
    indexes: { 'label*': 'labelKeys', origin: 'origin', paymentId: 'paymentId', txid: 'txid' },
  },
  appOutputs: {
    keyPath: 'id',
    indexes: { listing: 'listing', madeBy: 'madeBy', 'outpoint!': 'outpoint', 'tag*': 'tagListing' },
  },
  assets: { keyPath: 'outpoint', indexes: {} },
  avatars: { keyPath: 'paymail', indexes: { askedAt: 'askedAt' } },
  contacts: { keyPath: 'id', indexes: {} },
  permissions: { keyPath: ['origin', 'name'], indexes: {} },
  manifests: { keyPath: 'origin', indexes: {} },
  appLog: {
    keyPath: 'key',
    indexes: { kind: ['entry.kind', 'at'], unapplied: 'unapplied', unsent: 'unsent' },
  },
};

const ADDED_IN_3: Record<string, StoreShape> = { searchPages: { keyPath: null, indexes: {} } };

const ADDED_IN_4: Record<string, StoreShape> = {
  payments: {
    keyPath: 'id',
    indexes: { ...ADDED_IN_2.payments?.indexes, latest: ['origin', 'createdAt'] },
  },
};

const CHANGED_IN_5: Record<string, StoreShape> = {
  appOutputs: {
    keyPath: 'id',
    indexes: {
      listing: 'listing',
      madeBy: 'madeBy',
      outpoint: 'outpoint',
      'place!': ['origin', 'outpoint'],
      'tag*': 'tagListing',
      twin: 'twin',
    },
  },
  appLog: {
    keyPath: 'key',
    indexes: { ...ADDED_IN_2.appLog?.indexes, site: ['entry.kind', 'entry.origin', 'at'] },
  },
};

const ADDED_IN_6: Record<string, StoreShape> = {
  addresses: { keyPath: 'script', indexes: { 'chain!': ['chain', 'index'], free: ['chain', 'free'] } },
};

const ADDED_IN_7: Record<string, StoreShape> = { lightPayments: { keyPath: 'id', indexes: {} } };

export const VERSIONS: Record<number, Record<string, StoreShape>> = {
  1: VERSION_1,
  2: { ...VERSION_1, ...ADDED_IN_2 },
  3: { ...VERSION_1, ...ADDED_IN_2, ...ADDED_IN_3 },
  4: { ...VERSION_1, ...ADDED_IN_2, ...ADDED_IN_3, ...ADDED_IN_4 },
  5: { ...VERSION_1, ...ADDED_IN_2, ...ADDED_IN_3, ...ADDED_IN_4, ...CHANGED_IN_5 },
  6: { ...VERSION_1, ...ADDED_IN_2, ...ADDED_IN_3, ...ADDED_IN_4, ...CHANGED_IN_5, ...ADDED_IN_6 },
  7: { ...VERSION_1, ...ADDED_IN_2, ...ADDED_IN_3, ...ADDED_IN_4, ...CHANGED_IN_5, ...ADDED_IN_6, ...ADDED_IN_7 },
};

/** Records of one version. Stores with a key path have `records`, other stores have `values` by key. */
export interface Sample {
  records: Record<string, unknown[]>;
  values: Record<string, Record<string, unknown>>;
  /** The expected records after the upgrade, if their format has changed. */
  becomes?: Record<string, unknown[]>;
}

/** Sample records of each version, for testing the upgrade from it. */
const sample: Sample = {
  records: {
    addresses: [{ script: '76a9', chain: 'receive', index: 0, address: 'm', used: true }],
    receipts: [{ txid: 'ab', satoshis: 5n, address: 'm', createdAt: 1, height: 3, unconfirmed: 0 }],
    sites: [{ origin: 'https://shop.example', refusedAt: [], dismissals: 1, endedAt: 1, blockedUntil: null }],
    paymails: [{ paymail: 'bob@pay.example', publicKey: null, since: 1 }],
  },
  values: {
    keyval: { settings: { currency: 'EUR', network: 'devnet' } },
    totals: { coins: { satoshis: 5n, unconfirmed: 0n, available: 1 } },
  },
};

const sampleOf2: Sample = {
  ...sample,
  records: {
    ...sample.records,
    appLog: [{ key: 'ab.0', entry: { kind: 'output-gone', outpoint: 'ab.0' }, version: 2, at: 1, unsent: 1 }],
    contacts: [
      { id: 'bob@pay.example', to: 'bob@pay.example', name: 'Bob', service: null, paymail: 'bob@pay.example' },
    ],
    permissions: [{ origin: 'https://shop.example', name: 'identity', permission: { kind: 'identity' }, grantedAt: 1 }],
    manifests: [{ origin: 'https://shop.example', hash: 'ab' }],
  },
  becomes: {
    appLog: [{ key: 'ab.0 gone', entry: { kind: 'outpoint-gone', outpoint: 'ab.0' }, version: 2, at: 1, unsent: 1 }],
  },
};

const goneEntry = { kind: 'output-gone', outpoint: 'ab.0', origin: 'https://shop.example' };
const sampleOf5: Sample = {
  values: sampleOf2.values,
  records: {
    ...sampleOf2.records,
    appLog: [{ key: 'ab.0 output https://shop.example', entry: goneEntry, version: 2, at: 1, unsent: 1 }],
  },
};

const sampleOf6: Sample = {
  ...sampleOf5,
  records: {
    ...sampleOf5.records,
    addresses: [{ script: '76a9', chain: 'receive', index: 0, address: 'm', used: true, seen: true }],
  },
  values: {
    ...sampleOf5.values,
    totals: { ...sampleOf5.values.totals, reach: { receive: 0, change: -1, service: -1 } },
  },
};

export const SAMPLES: Record<number, Sample> = {
  1: sample,
  2: sampleOf2,
  3: sampleOf2,
  4: sampleOf2,
  5: sampleOf5,
  6: sampleOf6,
  7: sampleOf6,
};
