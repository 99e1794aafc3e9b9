/** Which network the wallet is on, and who speaks for it. */
import type { Network } from '../../../protocol/address.ts';
import type { Dialect } from '../../../protocol/broadcaster/broadcaster.ts';
import type { FeeRate } from '../transaction/fee.ts';

/** A network, the service that goes with it, and the bases of its two interfaces, without a slash at the end. */
export interface NetworkInfo {
  network: Network;
  serviceUrl: string;
  arcUrl: string;
  wocUrl: string;
  /** Other operators of the network, tried in turn after the first. Absent in a service's answer. */
  otherArcUrls?: readonly string[];
  /** A second source of block headers next to the index: the base of a chaintracks. Absent if there is none. */
  headersUrl?: string;
}

/** The stored network data. Each part names its source, so that neither is used after a change of settings. */
export interface KnownNetwork {
  /** A service's description of its network. */
  reported?: NetworkInfo;
  /** The price of an ARC, and when that was asked (milliseconds since 1970). */
  policy?: { arcUrl: string; rate: FeeRate; time: number };
  /** What operators' addresses speak, as far as they were asked. */
  dialects?: Record<string, Dialect>;
}
