/** Libraries without usable types, used only by tests to verify our own code. */
declare module 'bip69';
declare module 'bsv';
declare module 'bsv/message/index.js';
declare module 'bsv/ecies/index.js';
