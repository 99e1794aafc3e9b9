/**
 * How many searches this process has the database do at once. A search may keep a connection for seconds, and the pool has
 * ten for everything: payments are reported and received meanwhile.
 */
import { ServiceError } from '../../protocol/errors.ts';

/** Searches at once, and how many of one client wait for their turn at most. */
const [AT_ONCE, MOST_WAITING] = [3, 10];

interface Waiting {
  client: string;
  begin: () => void;
}

/** The clients whose searches run: each has one at a time, so that nobody's keep those of others waiting. */
const running = new Set<string>();
/** In the order in which they came. */
const waiting: Waiting[] = [];

const nextOf = () => (running.size < AT_ONCE ? waiting.findIndex(({ client }) => !running.has(client)) : -1);

function beginNext(): void {
  for (let i = nextOf(); i >= 0; i = nextOf()) {
    const [{ client, begin }] = waiting.splice(i, 1) as [Waiting];
    running.add(client);
    begin();
  }
}

/**
 * Does a search once it is its turn. It holds no connection until then.
 * @throws ServiceError `too-many-requests` where too many of the client’s wait already
 */
export async function inTurn<T>(client: string, search: () => Promise<T>): Promise<T> {
  if (waiting.filter((one) => one.client === client).length >= MOST_WAITING)
    throw new ServiceError('too-many-requests');
  await new Promise<void>((begin) => {
    waiting.push({ client, begin });
    beginNext();
  });
  try {
    return await search();
  } finally {
    running.delete(client);
    beginNext();
  }
}
