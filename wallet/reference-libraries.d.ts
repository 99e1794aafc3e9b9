/** Libraries that only tests use, to check ours against. They have no usable types. */
declare module 'bip69';
declare module 'bsv';
declare module 'bsv/message/index.js';
declare module 'bsv/ecies/index.js';
