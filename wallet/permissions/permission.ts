import type { Permission } from '../../protocol/messages/permission.ts';

export interface StoredPermission {
  origin: string;
  /** The result of `permissionName`, unique per site. */
  name: string;
  permission: Permission;
  /** Milliseconds since 1970. */
  grantedAt: number;
}

/** A manifest that the user has decided on, so it isn't shown again. */
export interface AnsweredManifest {
  origin: string;
  /** SHA-256 of the manifest's permissions (hex). */
  hash: string;
}

/** Maximum number of permissions per site. Each additional permission replaces the oldest one. */
export const MAX_PER_SITE = 500;
