/** Faults between the wallet and the network, which events set. */
import type { HostFault, HostTarget } from './hosts.ts';
import type { OperatorFault } from './operators.ts';

/** A part of the service or network that requests go to. */
export type Target = 'broadcast' | 'arc' | 'index' | 'service' | HostTarget;
/**
 * The fault of one request: it is lost; its response is lost; it arrives twice; its response is late, or never arrives;
 * the target responds with 500. The others are an operator's or a host's.
 */
export type Fault = 'lost' | 'answer lost' | 'twice' | 'late' | 'no answer' | '500' | OperatorFault | HostFault;
/**
 * A target's fault for a while. The index shows no coins, or knows no transactions. The operators accept transactions
 * and forget them, or report all of them as mined. The service's rate is five times the index's. The first operator is
 * down, is slow, or requires a key.
 */
export type Lie =
  | 'hides coins'
  | 'knows nothing'
  | 'keeps nothing'
  | 'all mined'
  | 'wrong rate'
  | 'operator down'
  | 'operator slow'
  | 'operator requires key';
