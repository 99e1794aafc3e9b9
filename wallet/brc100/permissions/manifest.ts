/**
 * The permissions announced in a site's manifest (BRC-73; BRC-116, section 3.2). The manifest is unverified: invalid
 * entries are ignored, and the user decides on the rest.
 */
import * as z from 'zod/mini';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { MAX_GROUPED } from '../../../protocol/payments/limits.ts';
import { isReserved, permissionName, type Permission } from '../../../protocol/messages/permission.ts';
import { parseJson, send } from '../../chain/http.ts';
import { part, type Wallet } from '../../platform.ts';

/** A permission in a manifest, with the site's reason. */
export interface RequestedPermission {
  permission: Permission;
  said: string | null;
}

/** A level 2 protocol that the site uses with every counterparty. */
export interface PeerProtocol {
  protocol: string;
  said: string | null;
}

export interface Manifest {
  /** SHA-256 (hex) of the permissions that are requested in one group. */
  hash: string;
  /** Requested separately for each new counterparty. */
  peers: PeerProtocol[];
  wanted: RequestedPermission[];
  /** The monthly allowance suggested by the site (satoshis as a decimal string), or null. */
  monthly: string | null;
  /** True if the manifest contains certificates, which this wallet doesn't support. */
  certificates: boolean;
}

const TIMEOUT_MS = 3000;
/** Maximum size of a manifest (bytes). Typical manifests are a few kilobytes. */
const MAX_BYTES = 65_536;
/** How long a manifest or its absence is cached (milliseconds). */
const KNOWN_FOR_MS = 300_000;
const MAX_CACHED_MANIFESTS = 100;
const MAX_REASON_CHARS = 200;

const name = (least: number, most: number) =>
  z.string().check(z.maxLength(1000), z.trim(), z.toLowerCase(), z.minLength(least), z.maxLength(most));
const protocol = name(5, 400).check(
  z.regex(/^[a-z0-9]+(?: [a-z0-9]+)*$/),
  z.refine((value) => !value.endsWith(' protocol')),
);
const said = z.optional(z.unknown());
const protocolEntry = z.union([
  z.pipe(
    z.object({ protocolID: z.tuple([z.literal(1), protocol]), description: said }),
    z.transform(({ protocolID: [level, named], description }) => ({
      permission: { kind: 'protocol', level, protocol: named, counterparty: null } as const,
      description,
    })),
  ),
  // A level 2 protocol without a counterparty can't be permitted (BRC-116, section 3.2).
  z.pipe(
    z.object({
      protocolID: z.tuple([z.literal(2), protocol]),
      counterparty: z.string().check(z.maxLength(66), z.toLowerCase(), z.regex(/^(?:self|anyone|0[23][0-9a-f]{64})$/)),
      description: said,
    }),
    z.transform(({ protocolID: [level, named], counterparty, description }) => ({
      permission: { kind: 'protocol', level, protocol: named, counterparty } as const,
      description,
    })),
  ),
]);
const basketEntry = z.pipe(
  z.object({
    basket: name(1, 300).check(z.refine((text) => text.isWellFormed() && new TextEncoder().encode(text).length <= 300)),
    description: said,
  }),
  z.transform(({ basket, description }) => ({ permission: { kind: 'basket', basket } as const, description })),
);
/** A protocol name, or a level 2 protocol ID (BRC-116, section 3.2). */
const peerEntry = z.pipe(
  z.union([
    z.object({ protocolName: protocol, description: said }),
    z.object({ protocolID: z.tuple([z.literal(2), protocol]), description: said }),
  ]),
  z.transform((entry) => ({
    protocol: 'protocolName' in entry ? entry.protocolName : entry.protocolID[1],
    said: shownReason(entry.description),
  })),
);
const spending = z.object({ amount: z.number().check(z.int(), z.minimum(1), z.maximum(21e14)) });

/** Parses a manifest; null if it contains nothing that can be permitted. */
export async function readManifest(text: string): Promise<Manifest | null> {
  const manifest = parseJson(text);
  const group = partOf(manifest, 'groupPermissions') ?? {};
  const peers = peersIn(manifest);
  const listed = [
    ...entries(group.protocolPermissions, protocolEntry),
    ...entries(group.basketAccess, basketEntry),
  ].filter(({ permission }) => !isReserved(permission));
  const byName = new Map(listed.map((one) => [permissionName(one.permission), one]));
  const wanted = [...byName.values()].slice(0, MAX_GROUPED).map(({ permission, description }) => ({
    permission,
    said: shownReason(description),
  }));
  const amount = spending.safeParse(group.spendingAuthorization);
  const monthly = amount.success ? String(amount.data.amount) : null;
  if (wanted.length === 0 && monthly === null && peers.length === 0) return null;
  const certificates = Array.isArray(group.certificateAccess) && group.certificateAccess.length > 0;
  const content = { wanted, monthly, certificates };
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(content)));
  return { hash: toHex(new Uint8Array(digest)), peers, ...content };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Returns a section of `metanet`, which older applications call `babbage`. */
function partOf(
  manifest: unknown,
  name: 'groupPermissions' | 'counterpartyPermissions',
): Record<string, unknown> | null {
  if (!isRecord(manifest)) return null;
  for (const namespace of [manifest.metanet, manifest.babbage]) {
    const part = isRecord(namespace) ? namespace[name] : null;
    if (isRecord(part)) return part;
  }
  return null;
}

function peersIn(manifest: unknown): PeerProtocol[] {
  const listed = entries(partOf(manifest, 'counterpartyPermissions')?.protocols, peerEntry).filter(
    ({ protocol: name }) => !isReserved({ kind: 'protocol', level: 2, protocol: name, counterparty: null }),
  );
  return [...new Map(listed.map((one) => [one.protocol, one])).values()].slice(0, MAX_GROUPED);
}

const shownReason = (said: unknown) =>
  typeof said === 'string' && said.trim() !== '' ? said.slice(0, MAX_REASON_CHARS) : null;

/** Returns the valid entries in a list, up to the limit. */
function entries<S extends z.ZodMiniType>(list: unknown, schema: S): z.output<S>[] {
  if (!Array.isArray(list)) return [];
  return list.slice(0, 2 * MAX_GROUPED).flatMap((entry) => {
    const read = schema.safeParse(entry);
    return read.success ? [read.data] : [];
  });
}

const known = part(() => new Map<string, { manifest: Promise<Manifest | null>; at: number }>());

/**
 * Returns a site's manifest; null if the site has none or it contains nothing that can be permitted. Requested only
 * from the site's own origin, with a short timeout, without cookies or redirects. Cached for {@link KNOWN_FOR_MS}.
 */
export function manifestOf(wallet: Wallet, origin: string): Promise<Manifest | null> {
  const before = known(wallet).get(origin);
  if (before && Math.abs(wallet.now() - before.at) < KNOWN_FOR_MS) return before.manifest;
  if (known(wallet).size >= MAX_CACHED_MANIFESTS) known(wallet).clear();
  const manifest = fetchManifest(wallet, origin).catch(() => null);
  known(wallet).set(origin, { manifest, at: wallet.now() });
  return manifest;
}

async function fetchManifest(wallet: Wallet, origin: string): Promise<Manifest | null> {
  const { status, text } = await send(wallet, `${origin}/manifest.json`, {
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  return status === 200 ? readManifest(text) : null;
}
