/**
 * The prompt for all permissions in a site's manifest (BRC-116, section 6.3). Shown once per site and manifest. A
 * deselected permission is treated as rejected.
 */
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { satoshisToBsv } from '../../../protocol/money/money.ts';
import { CONNECT, permissionName, type Permission } from '../../../protocol/messages/permission.ts';
import type { PermissionGroupView } from '../../../protocol/messages/wallet-messages.ts';
import type { AllowanceKey } from '../../allowances/allowance.ts';
import { grant } from '../../allowances/spend.ts';
import { allowanceRates, checkedTerms, viewOf } from '../../allowances/allowance-store.ts';
import { readAllowance } from '../../allowances/records.ts';
import { rateOrNull } from '../../chain/rates.ts';
import { balance } from '../../coins/coin-store.ts';
import { grantPermissions, isPermitted, missingOf, noteManifest, isManifestDecided } from '../../permissions/store.ts';
import { promptUser } from '../../prompts/request.ts';
import { resolvePrompt } from '../../prompts/decide.ts';
import type { PromptKind } from '../../prompts/kinds.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import { readPrompt, randomId } from '../../prompts/store.ts';
import { readSettings } from '../../settings.ts';
import type { Caller } from '../caller.ts';
import { isSettled } from './permission-queue.ts';
import { manifestOf, type Manifest, type RequestedPermission } from './manifest.ts';
import { part, type Wallet } from '../../platform.ts';

/** The requested group: a site's manifest or, if `hash` is null, the protocols for one counterparty. */
type RequestedGroup = Omit<Manifest, 'hash' | 'peers'> & { hash: string | null };
/** Stored details: the group, and the message of the first call that requested it. */
type Details = RequestedGroup & { call: string };
type GrantedNames = string[];

/** Returns the key of the site's allowance for payments without a window. */
const allowanceKey = (origin: string): AllowanceKey => [origin, '', 'automatic'];

export const groupPrompt = part((wallet): PromptKind<Details, GrantedNames, PermissionGroupView> => ({
  name: 'permission-group',
  approvedBy: 'permit',
  declined: 'permission-refused',

  async view({ origin, details: { wanted, monthly, certificates } }) {
    const current = monthly === null ? null : await readAllowance(wallet, allowanceKey(origin));
    return {
      kind: 'permission-group',
      clientIdentifier: '',
      wanted,
      certificates,
      suggested: monthly === null ? null : { amount: satoshisToBsv(BigInt(monthly)), currency: 'BSV' },
      current: current && viewOf(wallet, current),
      allowanceRates:
        monthly === null
          ? []
          : await allowanceRates(wallet, await rateOrNull(wallet, (await readSettings(wallet)).currency)),
      balanceSatoshis: (await balance(wallet)).satoshis.toString(),
    };
  },

  /** Stores the permissions, the allowance and the answer in one transaction. */
  async approve(prompt, { permitted = [], grant: wantedTerms }) {
    const { origin, details } = prompt;
    if (!permitted.every((place) => details.wanted[place])) throw new ServiceError('invalid-request');
    // Any approval also connects the site.
    const isChosen = ({ permission }: RequestedPermission, place: number) =>
      permission.kind === 'connect' || permitted.includes(place);
    const chosen = details.wanted.filter(isChosen).map(({ permission }) => permission);
    if (chosen.length === 0 && !wantedTerms) throw new ServiceError('invalid-request');
    if (wantedTerms && details.monthly === null) throw new ServiceError('invalid-request');
    const terms = wantedTerms ? await checkedTerms(wallet, wantedTerms) : null;
    await resolvePrompt(wallet, prompt, async (tx) => {
      await grantPermissions(wallet, tx, origin, chosen);
      if (terms) await grant(wallet, tx, allowanceKey(origin), terms, randomId(wallet));
      if (details.hash !== null) await noteManifest(tx, origin, details.hash);
      return chosen.map(permissionName);
    });
  },

  async dismissed(tx, { origin, details }) {
    if (details.hash !== null) await noteManifest(tx, origin, details.hash);
  },
}));

const includes = (wanted: readonly RequestedPermission[], name: string) =>
  wanted.some(({ permission }) => permissionName(permission) === name);

/**
 * If the site's manifest contains the permission, prompts for the whole group. A protocol that the site uses with every
 * counterparty is requested for this counterparty together with all other such protocols (BRC-116, section 5).
 * @returns false if the permission must be requested separately
 * @throws ServiceError `permission-refused` (the group was rejected, or this permission deselected),
 * `wallet-not-set-up`, `busy`, `too-many-requests`, `site-blocked`, `page-gone`
 */
export async function promptForGroup(wallet: Wallet, permission: Permission, caller: Caller): Promise<boolean> {
  const { origin } = caller;
  const name = permissionName(permission);
  if (await askAtOnce(wallet, name, groupPrompt(wallet).name, () => manifestToAsk(wallet, name, origin), caller))
    return true;
  const peer = permission.kind === 'protocol' && permission.level === 2 ? permission.counterparty : null;
  // `self` and `anyone` aren't real counterparties.
  if (peer === null || peer.length < 66) return false;
  return askAtOnce(
    wallet,
    name,
    `${groupPrompt(wallet).name} ${peer}`,
    () => peerToAsk(wallet, name, peer, origin),
    caller,
  );
}

async function askAtOnce(
  wallet: Wallet,
  name: string,
  message: string,
  toAsk: () => Promise<RequestedGroup | null>,
  caller: Caller,
): Promise<boolean> {
  const key = { origin: caller.origin, message };
  const before = (await readPrompt(wallet, key)) as Prompt<Details, GrantedNames> | undefined;
  const isCovered = before !== undefined && includes(before.details.wanted, name);
  if (isCovered && isRefused(wallet, before, name) && isSettled(wallet, before, caller))
    throw new ServiceError(groupPrompt(wallet).declined);
  // The call joins an open prompt, even if the manifest has changed.
  const isOpen = before?.outcome === null;
  const asked = !isOpen ? await toAsk() : isCovered ? before.details : null;
  if (asked === null) return false;
  const permitted = await promptUser(
    wallet,
    groupPrompt(wallet),
    { ...caller, ...key },
    () => Promise.resolve({ ...asked, call: caller.message }),
    () => true,
    () => true,
  );
  if (!permitted.includes(name)) throw new ServiceError(groupPrompt(wallet).declined);
  return true;
}

/** True if the permission was deselected, or the group was rejected. */
function isRefused(wallet: Wallet, { outcome }: Prompt<Details, GrantedNames>, name: string): boolean {
  if (outcome === null) return false;
  return 'answer' in outcome ? !outcome.answer.includes(name) : outcome.error.code === groupPrompt(wallet).declined;
}

/** Returns the missing permissions of the site's manifest; null if the group shouldn't be requested. */
async function manifestToAsk(wallet: Wallet, name: string, origin: string): Promise<RequestedGroup | null> {
  const manifest = await manifestOf(wallet, origin);
  if (manifest === null || (await isManifestDecided(wallet, origin, manifest.hash))) return null;
  const missing = await missingOf(wallet, origin, manifest.wanted);
  const wanted = await withConnection(wallet, origin, missing);
  const { peers: _, ...rest } = manifest;
  const isMore = manifest.monthly !== null || missing.some(({ permission }) => permissionName(permission) !== name);
  return includes(wanted, name) && isMore ? { ...rest, wanted } : null;
}

/** Returns the protocols that the site uses with every counterparty and that are missing for this one. */
async function peerToAsk(
  wallet: Wallet,
  name: string,
  counterparty: string,
  origin: string,
): Promise<RequestedGroup | null> {
  const { peers = [] } = (await manifestOf(wallet, origin)) ?? {};
  const all = peers.map(({ protocol, said }) => ({
    permission: { kind: 'protocol', level: 2, protocol, counterparty } as const,
    said,
  }));
  if (!includes(all, name)) return null;
  const wanted = await missingOf(wallet, origin, all);
  if (wanted.length < 2) return null;
  return { hash: null, wanted: await withConnection(wallet, origin, wanted), monthly: null, certificates: false };
}

/** Adds the connection if the site isn't connected yet. */
async function withConnection(
  wallet: Wallet,
  origin: string,
  wanted: RequestedPermission[],
): Promise<RequestedPermission[]> {
  return (await isPermitted(wallet, origin, CONNECT)) ? wanted : [...wanted, { permission: CONNECT, said: null }];
}
