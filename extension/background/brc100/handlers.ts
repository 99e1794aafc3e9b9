/** What each supported method of the BSV wallet interface (BRC-100) does. */
import type { Brc100Args, Brc100Results, SupportedMethod } from '../../../protocol/brc100/methods.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import type { Caller } from './caller.ts';
import { keyMethods } from './keys/key-methods.ts';
import { requirePermission, requireUnlocked } from './permissions/require.ts';
import {
  getHeaderForHeight,
  getHeight,
  getNetwork,
  getVersion,
  isAuthenticated,
  waitForAuthentication,
} from './status.ts';

/** One handler for every supported method. */
export type Brc100Handlers = {
  [M in SupportedMethod]: (args: Brc100Args<M>, caller: Caller) => Promise<Brc100Results[M]>;
};

const notYet = () => Promise.reject(new ServiceError('unsupported-method'));

/** See {@link Brc100Handlers}. */
export const brc100Handlers: Brc100Handlers = {
  createAction: notYet,
  signAction: notYet,
  abortAction: notYet,
  listActions: notYet,
  internalizeAction: notYet,
  listOutputs: notYet,
  relinquishOutput: notYet,
  ...keyMethods({ permission: requirePermission, unlocked: requireUnlocked }),
  isAuthenticated,
  waitForAuthentication: (args, caller) => waitForAuthentication(args, caller),
  getHeight,
  getHeaderForHeight,
  getNetwork,
  getVersion,
};
