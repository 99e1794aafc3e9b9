/** What users say of themselves. Messages of the checks are shown to people and to callers. */
import * as z from 'zod/mini';
import { isShownLine, isShownText } from './shown-text.ts';
import { isSiteAddress } from './web-address.ts';

const text = (what: string, most: number) => z.string(`${what} must be text.`).check(z.maxLength(most, `${what} has at most ${most} characters.`));

/** PATCH /api/v2/me: what is left out stays. An `avatarUrl` of null, or an empty one, is none. */
export const profileChange = z.strictObject({
  name: z.optional(text('The name', 100).check(z.refine(isShownLine, 'The name contains characters that cannot be shown.'))),
  bio: z.optional(text('The text about you', 1000).check(z.refine(isShownText, 'The text about you contains characters that cannot be shown.'))),
  avatarUrl: z.optional(z.nullable(text('The address of the picture', 500).check(
    z.refine((address) => address === '' || address.length > 500 || isSiteAddress(address), 'The address of the picture must begin with https://.'),
  ))),
  defaultCurrency: z.optional(z.string('The currency must be text.').check(z.regex(/^[A-Z]{3}$/, 'The currency must be a code of three capital letters.'))),
  defaultLanguage: z.optional(z.string('The language must be text.').check(z.regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/, 'The language must be a code like en or pt-BR.'))),
});
/** See {@link profileChange}. */
export type ProfileChange = z.infer<typeof profileChange>;
