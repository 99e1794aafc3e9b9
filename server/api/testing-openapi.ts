/** For tests: what openapi.test.ts and openapi.full.test.ts share. */

export type Json = Record<string, any>;
export const ADDRESS = 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8';
export const OF_ALICE = { paymail: 'alice@localhost' };
export const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
export const SCOPES =
  'auth.user_identity:read users.profiles:read users.balance:read payments:read users.asset:read users.asset:write';
