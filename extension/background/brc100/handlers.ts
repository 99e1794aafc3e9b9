/** The handlers of the supported methods of the BSV wallet interface (BRC-100). */
import type { Brc100Args, Brc100Results, SupportedMethod } from '../../../protocol/brc100/methods.ts';
import { abortAction } from './actions/abort-action.ts';
import { createAction } from './actions/create-action.ts';
import { internalizeAction } from './actions/internalize-action.ts';
import { listActions } from './actions/list-actions.ts';
import { listOutputs } from './actions/list-outputs.ts';
import { relinquishOutput } from './actions/relinquish-output.ts';
import { signAction } from './actions/sign-action.ts';
import type { Caller } from './caller.ts';
import { keyMethods } from './keys/key-methods.ts';
import { requirePermission } from './permissions/require.ts';
import {
  getHeaderForHeight,
  getHeight,
  getNetwork,
  getVersion,
  isAuthenticated,
  waitForAuthentication,
} from './status.ts';

export type Brc100Handlers = {
  [M in SupportedMethod]: (args: Brc100Args<M>, caller: Caller) => Promise<Brc100Results[M]>;
};

export const brc100Handlers: Brc100Handlers = {
  createAction,
  signAction,
  abortAction,
  listActions,
  internalizeAction,
  listOutputs,
  relinquishOutput,
  ...keyMethods({ permission: requirePermission }),
  isAuthenticated,
  waitForAuthentication,
  getHeight,
  getHeaderForHeight,
  getNetwork,
  getVersion,
};
