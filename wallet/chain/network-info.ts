/** The wallet's network and its operators. */
import type { Network } from '../../protocol/bitcoin/address.ts';
import type { Dialect } from '../../protocol/network/broadcaster/broadcaster.ts';
import type { Failure } from '../../protocol/network/broadcaster/operators.ts';
import type { FeeRate } from '../transaction/plan.ts';

/** A network, its service, and the base URLs of its broadcast and index APIs, without a trailing slash. */
export interface NetworkInfo {
  network: Network;
  serviceUrl: string;
  arcUrl: string;
  wocUrl: string;
  /** The network's other operators, tried in order after the first. Missing in a service's response. */
  otherArcUrls?: readonly string[];
  /** A second source of block headers: the base URL of a Chaintracks API. Missing if there is none. */
  headersUrl?: string;
}

/** The stored network data. Each part names its source, so that part is ignored after the settings change. */
export interface KnownNetwork {
  /** A service's description of its network. */
  reported?: NetworkInfo;
  /** An operator's fee rate, and when it was requested (milliseconds since 1970). */
  policy?: { arcUrl: string; rate: FeeRate; time: number };
  /** The known API dialects by operator URL. */
  dialects?: Record<string, Dialect>;
  /** The last failures by operator URL, until the operator responds again. */
  failures?: Record<string, Failure>;
}
