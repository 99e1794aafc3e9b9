/**
 * Data that a page attaches to a payment for its own use: the button passes it to the wallet, the wallet reports it,
 * the service stores and returns it. Only `refundOf`, the id of the refunded payment, is interpreted and checked by the
 * service. The visitor types `payerNote`.
 * Without imports, for the button's script.
 */

/** Maximum number of characters of each field. The button truncates a longer `label`. */
export const METADATA = { label: 200, buttonId: 1000, buttonData: 20_000, refundOf: 36, payerNote: 200 } as const;
export type MetadataName = keyof typeof METADATA;
export const METADATA_NAMES = /* @__PURE__ */ Object.keys(METADATA) as MetadataName[];
export const METADATA_OPTIONS = /* @__PURE__ */ METADATA_NAMES.filter((name) => name !== 'payerNote');

/** The metadata of a payment; null if the page attached none. */
export type Metadata = { [K in MetadataName]: string | null };

/** Fields that every version has. The others came later: wallets and services without them leave them out. */
const FIRST = ['label', 'buttonId', 'buttonData', 'refundOf'] as const;
type FirstName = (typeof FIRST)[number];
export type LaterName = Exclude<MetadataName, FirstName>;
export const LATER_METADATA = /* @__PURE__ */ METADATA_NAMES.filter(
  (name): name is LaterName => !(FIRST as readonly string[]).includes(name),
);

/** {@link Metadata} in a message. */
export interface SentMetadata
  extends Pick<Metadata, FirstName>, Partial<Record<LaterName, string | null | undefined>> {}

/** The metadata among other fields. */
export function metadataOf(given: { readonly [K in MetadataName]?: string | null | undefined }): Metadata {
  return Object.fromEntries(METADATA_NAMES.map((name) => [name, given[name] ?? null])) as Metadata;
}
