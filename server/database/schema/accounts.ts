/** Accounts, and what belongs to each of them alone. */
import { bigint, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { Registration } from '../../../protocol/api.ts';
import type { AssetBalance } from '../../../protocol/balance-message.ts';
import { skeletonSql } from '../handle-skeleton.ts';
import { bytea, time } from './columns.ts';

/** Accounts. Ids start at 1001: small numbers look like mistakes where a recipient is told by digits alone. */
export const users = pgTable('users', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity({ startWith: 1001 }),
  handle: text().notNull().unique(),
  /** Of it: of two handles that look alike, the second is not given out (identity/handle-skeleton.ts). */
  handleSkeleton: text('handle_skeleton').generatedAlwaysAs(skeletonSql('handle')).unique(),
  name: text().notNull(),
  /** Compressed identity key (`m/0'/236'/0'/0/0`), hex. */
  publicKey: text('public_key').notNull().unique(),
  /** Extended public key of account `m/44'/236'/2'`, from which paymail destinations are derived. */
  receivingXpub: text('receiving_xpub').notNull(),
  bio: text().notNull().default(''),
  /** A picture elsewhere that the user named; null where there is none, and while `picture` is the user’s. */
  avatarUrl: text('avatar_url'),
  /** SHA-256 of the picture that the user uploaded, hex; null where there is none. */
  picture: text(),
  defaultCurrency: text('default_currency').notNull().default('USD'),
  defaultLanguage: text('default_language').notNull().default('en'),
  /** Of the addresses that paymail senders are given: the first index after the last one that was paid … */
  receivingBase: integer('receiving_base').notNull().default(0),
  /**
   * … and how many were given out since. Within the gap limit of restored wallets they are given out in turn
   * (paymail/addresses.ts).
   */
  receivingTurn: bigint('receiving_turn', { mode: 'number' }).notNull().default(0),
  createdAt: time('created_at').notNull(),
});

/** Pictures that users uploaded of themselves, apart from them: whoever reads an account does not read its picture. */
export const profilePictures = pgTable('profile_pictures', {
  userId: bigint('user_id', { mode: 'number' })
    .primaryKey()
    .references(() => users.id),
  /** SHA-256, hex. */
  digest: text().notNull(),
  type: text({ enum: ['image/png', 'image/jpeg'] }).notNull(),
  image: bytea().notNull(),
});

/** What a wallet last published of its balance, while some application may read it. */
export const balances = pgTable('balances', {
  userId: bigint('user_id', { mode: 'number' })
    .primaryKey()
    .references(() => users.id),
  satoshis: bigint({ mode: 'bigint' }).notNull(),
  /** Of protocol/balance-message.ts, by the identity key, base64. */
  signature: text().notNull(),
  /** The wallet's own time. */
  publishedAt: time('published_at').notNull(),
  /** What it holds of tokens, with the signature of that; null where no application may read it. */
  assets: jsonb().$type<AssetBalance[]>(),
  assetsSignature: text('assets_signature'),
});

/** Texts given out to be signed, until they are redeemed (the row goes) or expire. */
export const signInChallenges = pgTable(
  'sign_in_challenges',
  {
    nonceHash: text('nonce_hash').primaryKey(),
    /** Whose it is; null where a page asks, which learns the key together with the signature. */
    publicKey: text('public_key'),
    /** What is asked for: null to sign in, else the account to be made. A page brings that with the signature, too. */
    registration: jsonb().$type<Registration>(),
    issuedAt: time('issued_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('sign_in_challenges_expires_at').on(table.expiresAt)],
);
