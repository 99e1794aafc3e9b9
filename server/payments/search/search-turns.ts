/** Limits concurrent searches, which may take seconds, as payment reports need the pool's connections. */
import { ServiceError } from '../../../protocol/errors/service-error.ts';

/** Maximum number of concurrent searches, and of waiting searches per client. */
const [AT_ONCE, MOST_WAITING] = [3, 10];

interface Waiting {
  client: string;
  begin: () => void;
}

/** The clients whose searches run, one each, so that no client delays the others. */
const running = new Set<string>();
/** First come, first served. */
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
 * Runs a search when it is its turn. It uses no connection until then.
 * @throws ServiceError `too-many-requests` if too many of the client’s searches wait already
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
