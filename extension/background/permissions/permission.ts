/** What is stored of a site's permissions. */
import type { Permission } from '../../../protocol/permission.ts';

/** A permission that the user gave. */
export interface StoredPermission {
  origin: string;
  /** See `permissionName`: unique within its site. */
  name: string;
  permission: Permission;
  /** Milliseconds since 1970. */
  grantedAt: number;
}

/** A site whose manifest has been answered by the user: it is asked about once. */
export interface AskedManifest {
  origin: string;
  /** SHA-256 of the permissions that it named, hex. */
  hash: string;
}

/** Most permissions of one site. What a further one takes the place of is asked for again. */
export const MAX_PER_SITE = 500;
