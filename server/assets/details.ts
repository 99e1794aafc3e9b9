/** Validates an owner's description of an asset. Pure except for the generated alias. */
import type * as z from 'zod/mini';
import { handle } from '../../protocol/http/api.ts';
import { changedAsset, newAsset, readSupply } from '../../protocol/assets/assets.ts';
import { isSameDomain } from '../../protocol/text/paymail-domain.ts';
import { check, type Checked } from '../http/problems.ts';
import { randomAlphanumeric } from '../secrets.ts';
import type { AssetDetails } from './store.ts';

type Description = Pick<AssetDetails, 'name' | 'description' | 'avatar'>;

const textOf = (given: string | null | undefined) => given?.trim() ?? '';

/** Validates the details of a new asset. @param paymailDomain this service's domain, the only one allowed */
export function checkNewAsset(body: unknown, paymailDomain: string): Checked<AssetDetails> {
  const { value: given, problems } = check(newAsset, body);
  if (!given) return { value: given, problems };
  const alias = textOf(given.paymailAlias).toLowerCase();
  const domain = textOf(given.paymailDomain).toLowerCase();
  if (domain !== '' && !isSameDomain(domain, paymailDomain))
    return { value: null, problems: { paymailDomain: `The paymail domain must be ${paymailDomain}.` } };
  if (alias !== '' && !handle.safeParse(alias).success) return { value: null, problems: { paymailAlias: ALIAS_FORM } };
  const { name, description, avatar, url, initialSupply, decimals = 0 } = given;
  return {
    value: {
      name: name.trim(),
      description: textOf(description),
      avatar: textOf(avatar) || null,
      url: textOf(url) || null,
      supply: readSupply(initialSupply) as bigint,
      decimals,
      paymailAlias: alias || `asset-${randomAlphanumeric(12).toLowerCase()}`,
    },
    problems: null,
  };
}

const ALIAS_FORM =
  'An alias must be 3 to 30 characters: lowercase letters and digits, at least one of them a letter. Dots and hyphens are allowed in between.';

export function checkChangedAsset(body: unknown): Checked<Partial<Description>> {
  const { value: given, problems } = check(changedAsset, body);
  return given ? { value: changesOf(given), problems } : { value: given, problems };
}

function changesOf({ name, description, avatar }: z.output<typeof changedAsset>): Partial<Description> {
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(description !== undefined && { description: textOf(description) }),
    ...(avatar !== undefined && { avatar: textOf(avatar) || null }),
  };
}
