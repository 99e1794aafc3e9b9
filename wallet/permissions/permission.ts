import type { Permission } from '../../protocol/messages/permission.ts';

/** A permission that the user granted. */
export interface StoredPermission {
  origin: string;
  /** See `permissionName`: unique within its site. */
  name: string;
  permission: Permission;
  /** Milliseconds since 1970. */
  grantedAt: number;
}

/** A site whose manifest the user has answered, so that it isn't shown again. */
export interface AnsweredManifest {
  origin: string;
  /** SHA-256 of the named permissions, hex. */
  hash: string;
}

/** Maximum number of permissions of one site. A further one replaces the oldest. */
export const MAX_PER_SITE = 500;
