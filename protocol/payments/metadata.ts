/**
 * Data that a page attaches to a payment for its own use. The button passes the data to the wallet, the wallet reports
 * it, and the service stores and returns it. The service interprets and checks only `refundOf`, the ID of the refunded
 * payment. The visitor enters `payerNote`. Has no imports, to keep the button's script small.
 */

/** Maximum length of each field (characters). The button truncates a longer `label`. */
export const METADATA = { label: 200, buttonId: 1000, buttonData: 20_000, refundOf: 36, payerNote: 200 } as const;
export type MetadataName = keyof typeof METADATA;
export const METADATA_NAMES = /* @__PURE__ */ Object.keys(METADATA) as MetadataName[];
export const METADATA_OPTIONS = /* @__PURE__ */ METADATA_NAMES.filter((name) => name !== 'payerNote');

/** A payment's metadata. Fields that the page didn't set are null. */
export type Metadata = { [K in MetadataName]: string | null };

/** Fields of the first version. Older wallets and services omit fields that were added later. */
const FIRST = ['label', 'buttonId', 'buttonData', 'refundOf'] as const;
type FirstName = (typeof FIRST)[number];
export type LaterName = Exclude<MetadataName, FirstName>;
export const LATER_METADATA = /* @__PURE__ */ METADATA_NAMES.filter(
  (name): name is LaterName => !(FIRST as readonly string[]).includes(name),
);

/** {@link Metadata} as sent in messages. */
export interface SentMetadata
  extends Pick<Metadata, FirstName>, Partial<Record<LaterName, string | null | undefined>> {}

/** Picks the metadata from an object with other fields. */
export function metadataOf(given: { readonly [K in MetadataName]?: string | null | undefined }): Metadata {
  return Object.fromEntries(METADATA_NAMES.map((name) => [name, given[name] ?? null])) as Metadata;
}
