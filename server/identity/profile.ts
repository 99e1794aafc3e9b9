import { eq } from 'drizzle-orm';
import type { ProfileAttributes } from '../../protocol/compat/api-v1.ts';
import type { Profile, ProfileChange } from '../../protocol/http/api-v2.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { isShownName, isShownText } from '../../protocol/text/shown-text.ts';
import type { Addresses } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { users } from '../database/schema.ts';
import { avatarUrlOf, forgetPicture, picturePath } from './picture.ts';
import type { User } from './accounts.ts';
import type { CurrencySource } from '../rates/currencies.ts';

type ProfileAddresses = Pick<Addresses, 'baseUrl' | 'paymailDomain'>;

export function profileOf(user: User, { baseUrl, paymailDomain }: ProfileAddresses): Profile {
  const { name, handle, bio, defaultCurrency, defaultLanguage, createdAt } = user;
  return {
    name,
    bio,
    avatarUrl: avatarUrlOf(user, baseUrl),
    defaultCurrency,
    defaultLanguage,
    paymail: `${handle}@${paymailDomain}`,
    createdAt: createdAt.toISOString(),
  };
}

/** Returns the profile as JSON:API attributes. */
export function profileAttributes(user: User, addresses: ProfileAddresses): ProfileAttributes {
  const { name, bio, avatarUrl, defaultCurrency, defaultLanguage, paymail, createdAt } = profileOf(user, addresses);
  return {
    'created-at': createdAt,
    name,
    'default-currency': defaultCurrency,
    'default-language': defaultLanguage,
    bio,
    'primary-paymail': paymail,
    'avatar-url': avatarUrl,
  };
}

const wrong = (message: string) => new ServiceError('invalid-request', { message });

/** Returns a language tag in canonical form (RFC 5646), or null if it is invalid. */
function languageTag(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

/** True for an https URL without credentials, the only kind loaded as a picture. */
function isPicture(text: string): boolean {
  if (!/^https:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** Validates a profile change. @throws ServiceError `invalid-request` with a message for the user */
export function checkProfile({ name, bio, avatarUrl, defaultCurrency, defaultLanguage }: ProfileChange): ProfileChange {
  // Accounts can be created without a name, so the name can be removed.
  if (name !== undefined && !isShownName(name)) throw wrong('The name contains characters that can’t be displayed.');
  if (bio !== undefined && !isShownText(bio))
    throw wrong('The text about you contains characters that can’t be displayed.');
  if (avatarUrl !== undefined && avatarUrl !== null && !isPicture(avatarUrl))
    throw wrong('The picture must be an https address.');
  const language = defaultLanguage === undefined ? undefined : languageTag(defaultLanguage);
  if (language === null) throw wrong('The language must be one of the listed ones.');
  return { name, bio, avatarUrl, defaultCurrency, defaultLanguage: language };
}

async function isKnown(code: string, currencies: CurrencySource): Promise<boolean> {
  const { crypto, fiat } = await currencies();
  return [...crypto, ...fiat].some((one) => one.code === code);
}

/**
 * Changes the given fields of a profile.
 * @throws ServiceError see {@link checkProfile}; `invalid-request` (currency without a rate)
 */
export async function changeProfile(
  db: Database,
  userId: number,
  change: ProfileChange,
  currencies: CurrencySource,
): Promise<User> {
  const checked = checkProfile(change);
  if (checked.defaultCurrency !== undefined && !(await isKnown(checked.defaultCurrency, currencies)))
    throw wrong('This currency isn’t supported.');
  const [user] = await db.transaction(async (tx) => {
    const [before] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update');
    const path = before && picturePath(before);
    // Ignores the uploaded picture's own URL, which clients include if they send back the whole profile.
    if (path && checked.avatarUrl?.endsWith(path)) delete checked.avatarUrl;
    // A picture URL replaces an uploaded picture.
    if (checked.avatarUrl !== undefined) await forgetPicture(tx, userId);
    return Object.values(checked).some((value) => value !== undefined)
      ? tx.update(users).set(checked).where(eq(users.id, userId)).returning()
      : [before];
  });
  if (!user) throw new ServiceError('unauthenticated');
  return user;
}
