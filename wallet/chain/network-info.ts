/** The wallet's network and its operators. */
import type { Network } from '../../protocol/bitcoin/address.ts';
import type { Dialect } from '../../protocol/network/broadcaster/broadcaster.ts';
import type { Failure } from '../../protocol/network/broadcaster/operators.ts';
import type { FeeRate } from '../transaction/fee.ts';

/** A network, its service, and the base URLs of its two interfaces, without a trailing slash. */
export interface NetworkInfo {
  network: Network;
  serviceUrl: string;
  arcUrl: string;
  wocUrl: string;
  /** Other operators of the network, tried in turn after the first. Absent in a service's response. */
  otherArcUrls?: readonly string[];
  /** A second source of block headers next to the index: the base of a chaintracks. Absent if there is none. */
  headersUrl?: string;
}

/** The stored network data. Each part names its source, so that it isn't used after a change of settings. */
export interface KnownNetwork {
  /** A service's description of its network. */
  reported?: NetworkInfo;
  /** The fee of an ARC, and when it was requested (milliseconds since 1970). */
  policy?: { arcUrl: string; rate: FeeRate; time: number };
  /** The known dialects of operators' addresses. */
  dialects?: Record<string, Dialect>;
  /** The last failures of operators' addresses, until they respond again. */
  failures?: Record<string, Failure>;
}
