/** What users say of themselves: checked, and kept. */
import { eq } from 'drizzle-orm';
import { profileChange, type ProfileChange } from '../../protocol/profile.ts';
import { isKnownCurrency } from '../api/currencies.ts';
import type { Database } from '../database/connect.ts';
import { users } from '../database/schema.ts';
import { check, type Checked } from '../http/problems.ts';
import type { User } from './accounts.ts';

/** A change of the profile, or what is wrong with it. */
export function checkProfile(body: unknown): Checked<ProfileChange> {
  const checked = check(profileChange, body);
  if (checked.told?.defaultCurrency === undefined || isKnownCurrency(checked.told.defaultCurrency)) return checked;
  return { told: null, problems: { defaultCurrency: 'This currency is not known here.' } };
}

/** Changes a user's profile in what was told, and gives the account as it is then. */
export async function changeProfile(db: Database, user: User, change: ProfileChange): Promise<User> {
  const { name, bio, avatarUrl, defaultCurrency, defaultLanguage } = change;
  if (Object.values(change).every((value) => value === undefined)) return user;
  const [changed] = await db.update(users).set({
    name: name?.trim(), bio: bio?.trim(), avatarUrl: avatarUrl === '' ? null : avatarUrl, defaultCurrency, defaultLanguage,
  }).where(eq(users.id, user.id)).returning();
  return changed ?? user;
}
