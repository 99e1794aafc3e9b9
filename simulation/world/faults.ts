/** Defines the faults between the wallet and the network, which commands set. */
import type { HostFault, HostTarget } from './hosts.ts';
import type { OperatorFault } from './operators.ts';

/** The parts of the service and the network to which requests are sent. */
export type Target = 'broadcast' | 'arc' | 'index' | 'service' | HostTarget;
/**
 * The fault of one request: the request is lost, its response is lost, the request arrives twice, its response is late
 * or missing, or the target responds with 500. Other faults are specific to operators or hosts.
 */
export type Fault = 'lost' | 'answer lost' | 'twice' | 'late' | 'no answer' | '500' | OperatorFault | HostFault;
/**
 * A lasting fault. The index hides coins or reports all transactions as unknown. The operators drop accepted
 * transactions or report all transactions as mined. The service's exchange rate is five times the index's. The first
 * operator is down or slow, or requires a key.
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
