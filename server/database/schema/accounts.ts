import { bigint, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { Registration } from '../../../protocol/http/api.ts';
import type { AssetBalance } from '../../../protocol/signed-messages/balance-message.ts';
import { skeletonSql, bytea, time } from './columns.ts';

/** Accounts. IDs start at 1001, because a small number given as a recipient is probably a mistake. */
export const users = pgTable('users', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity({ startWith: 1001 }),
  handle: text().notNull().unique(),
  /** Unique, so no two handles look alike (protocol/text/confusables.ts). */
  handleSkeleton: text('handle_skeleton').generatedAlwaysAs(skeletonSql('handle')).unique(),
  name: text().notNull(),
  /** Compressed identity key (`m/0'/236'/0'/0/0`), hex. */
  publicKey: text('public_key').notNull().unique(),
  /** Extended public key of account `m/44'/236'/2'`, from which paymail destinations are derived. */
  receivingXpub: text('receiving_xpub').notNull(),
  bio: text().notNull().default(''),
  /** The user's picture URL on another host; null if there is none or `picture` is set. */
  avatarUrl: text('avatar_url'),
  /** SHA-256 (hex) of the uploaded picture, or null. */
  picture: text(),
  defaultCurrency: text('default_currency').notNull().default('USD'),
  defaultLanguage: text('default_language').notNull().default('en'),
  /** The index after the user's last paid receiving address. */
  receivingBase: integer('receiving_base').notNull().default(0),
  /**
   * Number of addresses issued, starting at `receivingBase`. Addresses are reissued in rotation within restored
   * wallets' gap limit (see addresses.ts).
   */
  receivingTurn: bigint('receiving_turn', { mode: 'number' }).notNull().default(0),
  createdAt: time('created_at').notNull(),
});

/** Uploaded pictures, in a separate table so that reading an account doesn't load its picture. */
export const profilePictures = pgTable('profile_pictures', {
  userId: bigint('user_id', { mode: 'number' })
    .primaryKey()
    .references(() => users.id),
  digest: text().notNull(),
  type: text({ enum: ['image/png', 'image/jpeg'] }).notNull(),
  image: bytea().notNull(),
});

/** The balance a wallet last published, stored while an application may read it. */
export const balances = pgTable('balances', {
  userId: bigint('user_id', { mode: 'number' })
    .primaryKey()
    .references(() => users.id),
  satoshis: bigint({ mode: 'bigint' }).notNull(),
  /** The identity key's signature on the message in protocol/signed-messages/balance-message.ts, base64. */
  signature: text().notNull(),
  publishedAt: time('published_at').notNull(),
  /** The wallet's token balances; null if no application may read them. */
  assets: jsonb().$type<AssetBalance[]>(),
  /** The identity key's signature on the token balances, or null. */
  assetsSignature: text('assets_signature'),
});

/** Sign-in challenges. A row is deleted when its challenge is redeemed or expires. */
export const signInChallenges = pgTable(
  'sign_in_challenges',
  {
    nonceHash: text('nonce_hash').primaryKey(),
    /** The user's identity key; null if a page requested the challenge, because it doesn't have the key yet. */
    publicKey: text('public_key'),
    /** The account to register; null to sign in, and for a page, which sends the account with the signature. */
    registration: jsonb().$type<Registration>(),
    issuedAt: time('issued_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('sign_in_challenges_expires_at').on(table.expiresAt)],
);
