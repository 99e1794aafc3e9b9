/** Handlers of the supported BRC-100 methods. */
import type { Brc100Args, Brc100Results, SupportedMethod } from '../../protocol/brc100/methods.ts';
import { abortAction } from './actions/abort-action.ts';
import { createAction } from './actions/create-action.ts';
import { internalizeAction } from './actions/internalize/internalize-action.ts';
import { listActions } from './outputs/list-actions.ts';
import { listOutputs } from './outputs/list-outputs.ts';
import { relinquishOutput } from './outputs/relinquish-output.ts';
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
import { part } from '../platform.ts';

export type Brc100Handlers = {
  [M in SupportedMethod]: (args: Brc100Args<M>, caller: Caller) => Promise<Brc100Results[M]>;
};

export const brc100Handlers = part((wallet): Brc100Handlers => ({
  createAction: (args, caller) => createAction(wallet, args, caller),
  signAction: (args, caller) => signAction(wallet, args, caller),
  abortAction: (given, given1) => abortAction(wallet, given, given1),
  listActions: (args, caller) => listActions(wallet, args, caller),
  internalizeAction: (args, caller) => internalizeAction(wallet, args, caller),
  listOutputs: (args, caller) => listOutputs(wallet, args, caller),
  relinquishOutput: (given, caller) => relinquishOutput(wallet, given, caller),
  ...keyMethods(wallet, {
    permission: (permission, caller, given2) => requirePermission(wallet, permission, caller, given2),
  }),
  isAuthenticated: (_, given1) => isAuthenticated(wallet, _, given1),
  waitForAuthentication: (_, caller) => waitForAuthentication(wallet, _, caller),
  getHeight: () => getHeight(wallet),
  getHeaderForHeight: (given, given1) => getHeaderForHeight(wallet, given, given1),
  getNetwork: () => getNetwork(wallet),
  getVersion: () => getVersion(wallet),
}));
